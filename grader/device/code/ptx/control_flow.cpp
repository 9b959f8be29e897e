#include "device/code/ptx/control_flow.hpp"

#include <algorithm>
#include <utility>

namespace course::ptx {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

Graph reversed(const Graph& graph) {
  Graph result(graph.size());
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (std::uint32_t next : graph[node]) result[next].push_back(node);
  return result;
}

// Nodes reachable from `root`, each after all that it leads to (but for cycles). No recursion:
// functions come from foreign text and may be long.
std::vector<std::uint32_t> post_order(const Graph& graph, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(graph.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  seen[root] = true;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == graph[node].size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t child = graph[node][next++];
    if (seen[child]) continue;
    seen[child] = true;
    path.push_back({child, 0});
  }
  return order;
}

constexpr std::size_t kMostTails = 256; // far more returns than anybody writes

using NodeSet = std::vector<std::uint64_t>; // a bit a node

// The branches from which `end` can be reached.
NodeSet branches_to(const Graph& graph, const Graph& predecessors, std::uint32_t end) {
  NodeSet seen((graph.size() + 63) / 64);
  for (std::uint32_t node : post_order(predecessors, end))
    if (graph[node].size() > 1) seen[node / 64] |= std::uint64_t{1} << node % 64;
  return seen;
}

bool within(const NodeSet& inner, const NodeSet& outer) {
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i] & ~outer[i]) return false;
  return true;
}

// The last nodes of paths, without those that end early: every branch that leads to such a one also
// leads to another, but not the other way round; or, as with a return in a loop, that other comes
// later.
std::vector<std::uint32_t> last_tails(const Graph& going_on, const std::vector<bool>& ended) {
  std::vector<std::uint32_t> tails;
  for (std::uint32_t node = 0; node < going_on.size(); ++node)
    if (!ended[node] && going_on[node].empty()) tails.push_back(node);
  if (tails.size() > kMostTails) return {};

  const Graph predecessors = reversed(going_on);
  std::vector<NodeSet> before;
  before.reserve(tails.size());
  for (std::uint32_t tail : tails) before.push_back(branches_to(going_on, predecessors, tail));
  std::vector<std::uint32_t> last;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    bool early = false;
    for (std::size_t j = 0; j < tails.size() && !early; ++j)
      early = within(before[i], before[j]) && (j > i || !within(before[j], before[i]));
    if (!early) last.push_back(tails[i]);
  }
  return last;
}

} // namespace

std::vector<std::uint32_t>
post_dominators(const std::vector<std::vector<std::uint32_t>>& successors) {
  if (successors.empty()) return {};
  const auto end = static_cast<std::uint32_t>(successors.size() - 1);
  const Graph predecessors = reversed(successors);
  const std::vector<std::uint32_t> order = post_order(predecessors, end);
  std::vector<std::uint32_t> rank(successors.size(), kNowhere);
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

  std::vector<std::uint32_t> dominator(successors.size(), kNowhere);
  dominator[end] = end;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = dominator[a];
      while (rank[b] < rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == end) continue;
      std::uint32_t met = kNowhere;
      for (std::uint32_t next : successors[*it]) {
        if (dominator[next] == kNowhere) continue;
        met = met == kNowhere ? next : meet(met, next);
      }
      if (met == dominator[*it]) continue;
      dominator[*it] = met;
      changed = true;
    }
  }
  dominator[end] = kNowhere;
  return dominator;
}

std::vector<std::uint32_t> meetings_despite_returns(const Graph& successors,
                                                    const std::vector<bool>& ended) {
  const auto end = static_cast<std::uint32_t>(successors.size());
  Graph going_on(successors.size() + 1);
  std::vector<bool> gone(ended);
  gone.push_back(true);
  for (std::uint32_t node = 0; node < end; ++node) {
    if (ended[node]) continue;
    for (std::uint32_t next : successors[node])
      if (!ended[next]) going_on[node].push_back(next);
  }
  for (std::uint32_t tail : last_tails(going_on, gone)) going_on[tail].push_back(end);

  const auto meet = post_dominators(going_on);
  std::vector<std::uint32_t> result(successors.size(), kNowhere);
  for (std::uint32_t node = 0; node < end; ++node) {
    const auto goes_on = std::count_if(going_on[node].begin(), going_on[node].end(),
                                       [&](std::uint32_t next) { return meet[next] != kNowhere; });
    if (goes_on >= 2 && meet[node] != end) result[node] = meet[node];
  }
  return result;
}

} // namespace course::ptx
