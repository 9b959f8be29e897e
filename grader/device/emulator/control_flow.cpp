#include "device/emulator/control_flow.hpp"

#include "device/emulator/operation.hpp"

#include <utility>

namespace course::emulator {
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

} // namespace course::emulator
