// The search of orders on programs of a few steps, against all orders that there are.
#include "device/emulator/explore/search.hpp"

#include "device/splitmix64.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace course::emulator {
namespace {

using Does = Step::Does;

// Threads without memory: each makes its steps one after the other.
using Program = std::vector<std::vector<Step>>;

Step step(Agent agent, Does does, std::uint64_t word) {
  return {agent, does, true, 0, 4 * word, 4, 0};
}

std::vector<Step> stopped(const Program& program, const std::vector<std::size_t>& at) {
  std::vector<Step> all;
  for (std::size_t i = 0; i < program.size(); ++i)
    if (at[i] < program[i].size()) all.push_back(program[i][at[i]]);
  return all;
}

// For each two steps that depend on each other, which came first: what makes two orders differ.
std::string shape(const Program& program, const Choices& order) {
  std::vector<std::size_t> at(program.size());
  std::vector<std::pair<Step, std::size_t>> made;
  std::set<std::string> pairs;
  for (const Agent agent : order) {
    const Step& next = program[agent][at[agent]];
    for (const auto& [before, number] : made)
      if (before.agent != agent && depend(before, next))
        pairs.insert(std::to_string(before.agent) + "." + std::to_string(number) + "<" +
                     std::to_string(agent) + "." + std::to_string(at[agent]) + " ");
    made.emplace_back(next, at[agent]++);
  }
  std::string all;
  for (const auto& pair : pairs) all += pair;
  return all;
}

void every_order(const Program& program, std::vector<std::size_t>& at, Choices& order,
                 std::set<std::string>& shapes) {
  bool any = false;
  for (Agent agent = 0; agent < program.size(); ++agent) {
    if (at[agent] == program[agent].size()) continue;
    any = true;
    ++at[agent];
    order.push_back(agent);
    every_order(program, at, order, shapes);
    order.pop_back();
    --at[agent];
  }
  if (!any) shapes.insert(shape(program, order));
}

std::vector<std::string> searched(const Program& program) {
  Search search(100);
  std::vector<std::string> shapes;
  do {
    search.begin();
    std::vector<std::size_t> at(program.size());
    for (;;) {
      const auto list = stopped(program, at);
      const auto chosen = search.choose(list);
      if (!chosen) break;
      ++at[list[*chosen].agent];
    }
    if (search.end() == Search::End::complete) shapes.push_back(shape(program, search.choices()));
  } while (search.another());
  return shapes;
}

std::set<std::string> all_of(const Program& program) {
  std::vector<std::size_t> at(program.size());
  Choices order;
  std::set<std::string> shapes;
  every_order(program, at, order, shapes);
  return shapes;
}

} // namespace

TEST_CASE("steps that do not depend on each other have one order") {
  CHECK(searched({{step(0, Does::changes, 0)}, {step(1, Does::changes, 1)}}).size() == 1);
  CHECK(searched({{step(0, Does::reads, 0)}, {step(1, Does::reads, 0)}}).size() == 1);
  CHECK(searched({{step(0, Does::joins, 0)}, {step(1, Does::joins, 0)}}).size() == 1);
}

TEST_CASE("steps that do have each, and each once") {
  CHECK(searched({{step(0, Does::changes, 0)}, {step(1, Does::changes, 0)}}).size() == 2);
  CHECK(searched({{step(0, Does::changes, 0)},
                  {step(1, Does::changes, 0)},
                  {step(2, Does::changes, 0)},
                  {step(3, Does::changes, 0)}})
            .size() == 24);
  CHECK(
      searched({{step(0, Does::changes, 0)}, {step(1, Does::reads, 0)}, {step(2, Does::reads, 0)}})
          .size() == 4);
}

TEST_CASE("drawn programs have the orders that they have, each once") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    std::uint64_t state = seed;
    const auto below = [&](std::uint64_t end) {
      return device::splitmix64(state += device::kSplitmixStep) % end;
    };
    Program program(2 + below(2));
    for (Agent agent = 0; agent < program.size(); ++agent)
      for (std::uint64_t left = 1 + below(3); left; --left)
        program[agent].push_back(step(agent, static_cast<Does>(below(3)), below(2)));
    const auto found = searched(program);
    CHECK(std::set(found.begin(), found.end()) == all_of(program));
    CHECK(found.size() == all_of(program).size());
  }
}

TEST_CASE("what has met at a barrier comes in one order") {
  Search search(10);
  int executions = 0;
  do {
    search.begin();
    ++executions;
    const std::vector<Step> first{step(0, Does::changes, 0)}, second{step(1, Does::changes, 0)};
    CHECK(search.choose(first));
    search.meet({0, 1});
    CHECK(search.choose(second));
    CHECK_FALSE(search.choose({}));
  } while (search.another());
  CHECK(executions == 1);
}

TEST_CASE("a search says where an execution has more steps than it looks at") {
  Search search(2);
  search.begin();
  const std::vector<Step> one{step(0, Does::changes, 0)};
  CHECK(search.choose(one));
  CHECK(search.choose(one));
  CHECK_FALSE(search.choose(one));
  CHECK(search.end() == Search::End::too_long);
}

TEST_CASE("an order is repeated by its choices, and goes on as usual behind them") {
  Replay replay({1});
  const std::vector<Step> both{step(0, Does::changes, 0), step(1, Does::changes, 0)};
  CHECK(replay.choose(both) == 1);
  CHECK(replay.choose(both) == 1);
  CHECK(replay.choose({both[0]}) == 0);
  CHECK_FALSE(replay.choose({}));
  CHECK(replay.followed());
}

} // namespace course::emulator
