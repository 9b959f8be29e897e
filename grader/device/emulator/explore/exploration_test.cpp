// Every order of small kernels that differs: how many there are, and what comes of them. Kernels of
// data/liberties.cu.
#include "device/emulator/explore/exploration.hpp"

#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace course::emulator {
namespace {

using WhyNot = Exploration::WhyNot;

TestRun run_of(const std::string& kernel, std::uint32_t blocks, Exploration& exploration,
               unsigned threads = 1) {
  TestRun run("liberties.ptx");
  const auto out = run.buffer("out", std::vector<int>(4));
  const auto state = run.buffer("state", std::vector<int>(128));
  run.job.instruction_budget = 20'000'000;
  Options options;
  options.threads = threads;
  options.exploration = &exploration;
  run.launch(kernel, {blocks}, {64}, 0, out, state).run(options);
  return run;
}

// What out[0] is in the orders of a kernel; "wrong" where one has findings.
std::set<std::string> ends_of(const std::string& kernel, std::uint32_t blocks) {
  Exploration all;
  run_of(kernel, blocks, all);
  REQUIRE(all.launches.size() == 1);
  CAPTURE(kernel);
  CAPTURE(all.launches[0].orders);
  CHECK(all.launches[0].all());
  std::set<std::string> ends;
  for (const auto& outcome : all.launches[0].outcomes) {
    Exploration one;
    one.chosen[0] = outcome.choices;
    const auto run = run_of(kernel, blocks, one);
    ends.insert(outcome.wrong ? "wrong" : std::to_string(run.result<int>(0)[0]));
  }
  return ends;
}

using Ends = std::set<std::string>;

} // namespace

TEST_CASE("orders that differ are counted, each once") {
  // A load and a store of two threads: one after the other, or both loads first.
  Exploration all;
  run_of("lost_update_wrong", 2, all);
  REQUIRE(all.launches.size() == 1);
  CHECK(all.launches[0].all());
  CHECK(all.launches[0].orders == 4);
  CHECK(all.launches[0].outcomes.size() == 2);
  Exploration one;
  run_of("lost_update_right", 3, one); // additions that nobody looks at
  CHECK(one.launches.empty());
}

TEST_CASE("what gets lost in some order gets lost") {
  CHECK(ends_of("lost_update_wrong", 3) == Ends{"1", "2", "3"});
  CHECK(ends_of("lost_atomic_wrong", 2) == Ends{"1", "2"});
  CHECK(ends_of("lost_atomic_right", 2) == Ends{"2"});
  CHECK(ends_of("check_then_act_wrong", 2) == Ends{"1", "2"});
  CHECK(ends_of("check_then_act_right", 3) == Ends{"1"});
  CHECK(ends_of("last_block_wrong", 2) == Ends{"1", "2"});
  CHECK(ends_of("last_block_right", 4) == Ends{"1"});
  CHECK(ends_of("greatest_wrong", 3) == Ends{"1", "2", "3"});
  CHECK(ends_of("first_block_right", 4) == Ends{"4"});
}

TEST_CASE("loops that wait end in each order, and locks keep what they promise") {
  CHECK(ends_of("lock_right", 2) == Ends{"2"});
  CHECK(ends_of("lock_wrong", 2) == Ends{"1", "2"});
}

TEST_CASE("a loop that counts in memory of its own has not come back to where it was") {
  CHECK(ends_of("looks_five_times", 1) == Ends{"5"});
}

TEST_CASE("however many wait for a phase, its arrivals have one order") {
  CHECK(ends_of("try_once_right", 1) == Ends{"64"});
  Exploration arrivals, copy;
  run_of("try_once_right", 1, arrivals);
  CHECK(arrivals.launches.at(0).orders == 1);
  run_of("copy_try_once_right", 1, copy);
  CHECK(copy.launches.at(0).all());
  CHECK(copy.launches.at(0).orders == 1);
}

TEST_CASE("an order that is wrong is told, with what its threads did to each other") {
  Exploration all;
  run_of("lost_update_wrong", 2, all);
  const auto& outcomes = all.launches.at(0).outcomes;
  REQUIRE(outcomes.size() == 2);
  REQUIRE(outcomes[1].events.size() == 4);
  CHECK(outcomes[1].events[0].does == device::LaneAccess::Does::load);
  CHECK(device::spelled(outcomes[1].events[0].what).find("out") != std::string::npos);
  CHECK(outcomes[1].events[0].line > 0);
}

TEST_CASE("a bound says that not all was tried") {
  Exploration few;
  few.most_orders = 3;
  run_of("lost_update_wrong", 3, few);
  CHECK(few.launches.at(0).why_not == WhyNot::too_many_orders);
  CHECK(few.launches.at(0).orders == 3);
  Exploration shorter;
  shorter.most_steps = 2;
  run_of("lost_update_wrong", 2, shorter);
  CHECK(shorter.launches.at(0).why_not == WhyNot::too_many_steps);
  Exploration counting; // how often it looks, to many more than it is let
  counting.most_steps = 60;
  run_of("one_look_right", 2, counting);
  CHECK(counting.launches.at(0).why_not == WhyNot::too_many_steps);
  Exploration answers; // each of 64 threads may be answered in two ways
  answers.most_orders = 20;
  run_of("try_once_wrong", 1, answers);
  CHECK(answers.launches.at(0).why_not == WhyNot::too_many_orders);
}

TEST_CASE("the orders of a kernel are the same on any number of cores") {
  Exploration one, seven;
  run_of("check_then_act_wrong", 3, one, 1);
  run_of("check_then_act_wrong", 3, seven, 7);
  REQUIRE(one.launches.size() == seven.launches.size());
  CHECK(one.launches[0].orders == seven.launches[0].orders);
  REQUIRE(one.launches[0].outcomes.size() == seven.launches[0].outcomes.size());
  for (std::size_t i = 0; i < one.launches[0].outcomes.size(); ++i)
    CHECK(one.launches[0].outcomes[i].choices == seven.launches[0].outcomes[i].choices);
}

} // namespace course::emulator
