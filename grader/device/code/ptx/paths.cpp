#include "device/code/ptx/paths.hpp"

#include "device/code/ptx/control_flow.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace course::ptx {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// Dominators are the post-dominators of the graph with its arrows turned round, the entry last.
std::vector<std::uint32_t> dominators(const Graph& successors) {
  const auto last = static_cast<std::uint32_t>(successors.size() - 1);
  Graph turned(successors.size());
  for (std::uint32_t node = 0; node <= last; ++node)
    for (const std::uint32_t next : successors[node]) turned[last - next].push_back(last - node);
  const auto found = post_dominators(turned);
  std::vector<std::uint32_t> result(successors.size(), kNowhere);
  for (std::uint32_t node = 0; node <= last; ++node)
    if (found[last - node] != kNowhere) result[node] = last - found[last - node];
  return result;
}

} // namespace

Paths::Paths(Graph successors)
    : successors_(std::move(successors)), predecessors_(successors_.size()),
      first_(successors_.size()), last_(successors_.size()) {
  if (successors_.empty()) return;
  for (std::uint32_t node = 0; node < size(); ++node)
    for (const std::uint32_t next : successors_[node]) predecessors_[next].push_back(node);
  dominator_ = dominators(successors_);

  Graph tree(successors_.size());
  for (std::uint32_t node = 0; node < size(); ++node)
    if (dominator_[node] != kNowhere) tree[dominator_[node]].push_back(node);
  std::uint32_t time = 0;
  std::vector<std::pair<std::uint32_t, std::size_t>> walk{{0, 0}};
  first_[0] = ++time;
  while (!walk.empty()) {
    auto& [node, next] = walk.back();
    if (next < tree[node].size()) {
      const std::uint32_t child = tree[node][next++];
      first_[child] = ++time;
      walk.push_back({child, 0});
    } else {
      last_[node] = time;
      walk.pop_back();
    }
  }
}

bool Paths::dominates(std::uint32_t through, std::uint32_t node) const {
  return first_[through] != 0 && first_[through] <= first_[node] && first_[node] <= last_[through];
}

namespace {

// Nodes that lead back to a header, by header.
using Returns = std::map<std::uint32_t, std::vector<std::uint32_t>>;

Returns returns_of(const Paths& paths) {
  Returns last;
  for (std::uint32_t node = 0; node < paths.size(); ++node)
    for (const std::uint32_t header : paths.successors(node))
      if (paths.dominates(header, node)) last[header].push_back(node);
  return last;
}

// The header, and the nodes from which it is reached without passing it, in order. Nothing when
// `stop` is true of one of them.
template <typename Stop>
std::vector<std::uint32_t> body_of(const Paths& paths, std::uint32_t header,
                                   std::vector<std::uint32_t> last, std::vector<bool>& seen,
                                   Stop stop) {
  std::vector<std::uint32_t> body;
  bool stopped = false;
  while (!last.empty() && !stopped) {
    const std::uint32_t inside = last.back();
    last.pop_back();
    if (inside == header || seen[inside]) continue;
    seen[inside] = true;
    body.push_back(inside);
    stopped = stop(inside);
    for (const std::uint32_t before : paths.predecessors(inside)) last.push_back(before);
  }
  for (const std::uint32_t node : body) seen[node] = false;
  if (stopped) return {};
  std::sort(body.begin(), body.end());
  body.insert(body.begin(), header);
  return body;
}

} // namespace

// Each is given up at another header: nested loops would take their number squared.
std::vector<std::vector<std::uint32_t>> innermost_loops(const Paths& paths) {
  const Returns returns = returns_of(paths);
  std::vector<bool> seen(paths.size());
  std::vector<std::vector<std::uint32_t>> result;
  for (const auto& [header, from] : returns) {
    auto body = body_of(paths, header, from, seen,
                        [&](std::uint32_t node) { return returns.contains(node); });
    if (!body.empty()) result.push_back(std::move(body));
  }
  return result;
}

std::optional<std::vector<std::vector<std::uint32_t>>> all_loops(const Paths& paths,
                                                                 std::size_t most) {
  std::vector<bool> seen(paths.size());
  std::vector<std::vector<std::uint32_t>> result;
  std::size_t nodes = 0;
  for (const auto& [header, from] : returns_of(paths)) {
    result.push_back(
        body_of(paths, header, from, seen, [&](std::uint32_t) { return ++nodes > most; }));
    if (nodes > most) return std::nullopt;
  }
  return result;
}

namespace {

// Where an instruction leads but to the next one, as indices in the body.
std::vector<std::uint32_t> targets(const Function& function, const Instruction& instruction) {
  const auto end = static_cast<std::uint32_t>(function.body.size());
  const auto at = [&](const std::string& label) {
    const auto found = function.labels.find(label);
    return found == function.labels.end() ? end : std::min(found->second, end);
  };
  const auto label_in = [](const Operand& operand) { return std::get_if<Label>(&operand.value); };
  std::vector<std::uint32_t> result;
  if (instruction.row->opcode == Opcode::bra) {
    for (const auto& operand : instruction.operands)
      if (const auto* label = label_in(operand)) result.push_back(at(label->name));
  } else if (instruction.row->opcode == Opcode::brx) {
    for (const auto& operand : instruction.operands) {
      const auto* label = label_in(operand);
      const auto table =
          label ? function.branch_targets.find(label->name) : function.branch_targets.end();
      if (table == function.branch_targets.end()) continue;
      for (const std::string& target : table->second) result.push_back(at(target));
    }
  } else {
    result.push_back(end);
  }
  return result;
}

} // namespace

PtxBlocks blocks_of(const Function& function) {
  const auto size = static_cast<std::uint32_t>(function.body.size());
  std::set<std::uint32_t> begins{0, size};
  for (const auto& [name, at] : function.labels) begins.insert(std::min(at, size));
  for (std::uint32_t i = 0; i < size; ++i)
    if (function.body[i].row->ends_block()) begins.insert(i + 1);

  std::vector<std::uint32_t> order(begins.begin(), begins.end());
  std::vector<std::uint32_t> block_of(size + 1);
  for (std::uint32_t block = 0; block < order.size(); ++block) {
    const std::uint32_t behind = block + 1 < order.size() ? order[block + 1] : size + 1;
    for (std::uint32_t i = order[block]; i < behind; ++i) block_of[i] = block;
  }
  Graph successors(order.size());
  for (std::uint32_t block = 0; block + 1 < order.size(); ++block) {
    const Instruction& last = function.body[order[block + 1] - 1];
    std::set<std::uint32_t> next;
    if (!last.row->ends_block() || last.guard) next.insert(block + 1);
    if (last.row->ends_block())
      for (const std::uint32_t target : targets(function, last)) next.insert(block_of[target]);
    successors[block].assign(next.begin(), next.end());
  }
  auto meet = post_dominators(successors);
  return {std::move(order), std::move(block_of), Paths(std::move(successors)), std::move(meet)};
}

} // namespace course::ptx
