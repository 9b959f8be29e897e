#include "device/code/ptx/control_flow.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace course::ptx {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// Whether every path from `from` to the end goes through `through`: the end cannot be reached
// without it.
bool on_every_path(const Graph& graph, std::uint32_t from, std::uint32_t through) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> work{from};
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    if (node == through || !seen.insert(node).second) continue;
    if (node == graph.size() - 1) return false;
    for (std::uint32_t next : graph[node]) work.push_back(next);
  }
  return true;
}
bool reaches_end(const Graph& graph, std::uint32_t from) {
  return !on_every_path(graph, from, kNowhere);
}

} // namespace

TEST_CASE("the sides of an if meet behind it") {
  const Graph graph = {{1, 2}, {3}, {3}, {4}, {}};
  CHECK(post_dominators(graph) == std::vector<std::uint32_t>{3, 3, 3, 4, kNowhere});
}

TEST_CASE("a loop's lanes meet behind the loop") {
  const Graph graph = {{1}, {2, 3}, {1}, {4}, {}};
  CHECK(post_dominators(graph)[1] == 3);
}

TEST_CASE("from an endless loop nothing is behind") {
  const Graph graph = {{1, 2}, {1}, {}};
  CHECK(post_dominators(graph)[1] == kNowhere);
  CHECK(post_dominators(graph)[0] == 2);
}

TEST_CASE("in random graphs the post-dominator is the nearest node on every path") {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Graph graph(2 + random() % 12);
    const auto size = static_cast<std::uint32_t>(graph.size());
    for (std::uint32_t node = 0; node + 1 < size; ++node)
      for (std::uint32_t edges = 1 + random() % 2; edges; --edges)
        graph[node].push_back(static_cast<std::uint32_t>(random() % size));
    const auto found = post_dominators(graph);
    for (std::uint32_t node = 0; node + 1 < size; ++node) {
      if (!reaches_end(graph, node)) {
        CHECK(found[node] == kNowhere);
        continue;
      }
      CHECK(on_every_path(graph, node, found[node]));
      // Nothing else on every path comes before it.
      for (std::uint32_t other = 0; other < size; ++other)
        if (other != node && other != found[node] && on_every_path(graph, node, other))
          CHECK(on_every_path(graph, found[node], other));
    }
  }
}

TEST_CASE("where one path returns early, the others meet behind the if") {
  // 0: if (a) goto 3; 1: if (b) goto 5; 2: work; 3: rest; 4: return; 5: return; 6: the end
  const Graph graph = {{1, 3}, {2, 5}, {3}, {4}, {6}, {6}, {}};
  const std::vector<bool> ended = {false, false, false, false, true, true, true};
  CHECK(post_dominators(graph)[0] == 6);
  const auto meet = meetings_despite_returns(graph, ended);
  CHECK(meet[0] == 3);
  CHECK(meet[1] == kNowhere); // one side only goes on
}

TEST_CASE("lanes meet behind a loop in which some store and return") {
  // 0: begin; 1: if (done) goto 7; 2: if (b) goto 4; 3: goto 1; 4, 5: store; 6: return; 7: rest;
  // 8: return; 9: the end
  const Graph graph = {{1}, {2, 7}, {3, 4}, {1}, {5}, {6}, {9}, {8}, {9}, {}};
  std::vector<bool> ended(graph.size());
  ended[6] = ended[8] = ended[9] = true;
  CHECK(post_dominators(graph)[1] == 9);
  const auto meet = meetings_despite_returns(graph, ended);
  CHECK(meet[1] == 7);
  CHECK(meet[2] == kNowhere);
}

TEST_CASE("two ways of ending, neither earlier than the other, do not meet") {
  // 0: if (a) goto 3; 1: store; 2: return; 3: store; 4: return; 5: the end
  const Graph graph = {{1, 3}, {2}, {5}, {4}, {5}, {}};
  const std::vector<bool> ended = {false, false, true, false, true, true};
  CHECK(meetings_despite_returns(graph, ended)[0] == kNowhere);
}

} // namespace course::ptx
