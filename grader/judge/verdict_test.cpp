#include "judge/verdict.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

Check worth(const std::string& name, int points, Status status, const std::string& pair = "") {
  Check check;
  check.name = name;
  check.status = status;
  check.max_points = points;
  check.pair = pair;
  return check;
}

Verdict settled(std::vector<Check> checks) {
  Verdict verdict;
  verdict.ending = Ending::failed;
  verdict.checks = std::move(checks);
  settle(verdict);
  return verdict;
}

} // namespace

TEST_CASE("every check passed: every point") {
  const auto verdict = settled(
      {worth("output", 20, Status::passed), worth("conflicts", 15, Status::passed, "output")});
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.points == 35);
  CHECK(verdict.max_points == 35);
}

TEST_CASE("a check that passed and earns nothing tells which one it waits for") {
  const auto verdict =
      settled({worth("output", 20, Status::failed), worth("memory", 5, Status::passed, "output"),
               worth("traffic", 5, Status::not_measured, "output"),
               worth("conflicts", 15, Status::passed, "traffic"),
               worth("coalescing", 15, Status::failed, "output"), worth("uses", 5, Status::passed),
               worth("kernel", 0, Status::passed, "output")});
  const auto name = [&](std::size_t i) {
    const auto* first = awaited(verdict, verdict.checks[i]);
    return first ? first->name : "";
  };
  CHECK(name(1) == "output");
  CHECK(name(3) == "output"); // through traffic, which is not measured for want of it
  for (const std::size_t i : {0u, 2u, 4u, 5u, 6u}) CHECK(name(i).empty());
}

TEST_CASE("checks that wait for each other come to an end") {
  const auto verdict = settled({worth("one", 5, Status::passed, "two"),
                                worth("two", 5, Status::not_measured, "three"),
                                worth("three", 5, Status::not_measured, "two")});
  CHECK(awaited(verdict, verdict.checks[0]) != nullptr);
}

TEST_CASE("a verdict that earns nothing at all names no check for it") {
  Verdict verdict;
  verdict.ending = Ending::not_measurable;
  verdict.checks = {worth("output", 20, Status::failed),
                    worth("memory", 5, Status::passed, "output")};
  CHECK(awaited(verdict, verdict.checks[1]) == nullptr);
}

TEST_CASE("a time argues against a lesson where it is less than the solution's") {
  const auto with = [](Facts facts) {
    Verdict verdict;
    verdict.checks = {worth("time", 40, Status::not_measured)};
    verdict.checks[0].facts = std::move(facts);
    return verdict;
  };
  facts::Untimed others;
  others.of_solution = 70e-6;
  others.others = {{{"conflicts"}, 71e-6, 126e-6}};
  CHECK_FALSE(tells_less_time(with(others)));
  others.others.push_back({{"traffic"}, 34e-6, 150e-6});
  CHECK(tells_less_time(with(others)));
  facts::Timed own;
  own.timing.seconds = 34e-6;
  own.timing.of_peer = 70e-6;
  CHECK(tells_less_time(with(own)));
  own.timing.seconds = 71e-6;
  CHECK_FALSE(tells_less_time(with(own)));
  CHECK_FALSE(tells_less_time(Verdict()));
}

TEST_CASE("a failed check costs its own points only") {
  const auto verdict =
      settled({worth("output", 20, Status::passed), worth("conflicts", 15, Status::failed)});
  CHECK(verdict.ending == Ending::failed);
  CHECK(verdict.points == 20);
  CHECK(verdict.max_points == 35);
}

TEST_CASE("a check whose pair failed earns nothing, though it passed") {
  const auto verdict = settled(
      {worth("traffic", 10, Status::failed), worth("conflicts", 15, Status::passed, "traffic")});
  CHECK(verdict.points == 0);
  CHECK(verdict.checks[1].status == Status::passed);
}

TEST_CASE("a check that names a missing pair earns nothing") {
  CHECK(settled({worth("conflicts", 15, Status::passed, "traffic")}).points == 0);
}

TEST_CASE("what the device cannot measure is left out of the points, and is no failure") {
  auto time = worth("time", 40, Status::not_measured);
  time.possible = false;
  const auto verdict = settled({worth("output", 20, Status::passed), time});
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.max_points == 20);
}

TEST_CASE("a check that could have been measured and was not is no pass") {
  const auto verdict =
      settled({worth("output", 20, Status::passed), worth("traffic", 5, Status::not_measured)});
  CHECK(verdict.ending == Ending::failed);
  CHECK(verdict.max_points == 25);
}

TEST_CASE("no checks is no pass") {
  CHECK(settled({}).ending == Ending::failed);
}

TEST_CASE("an ending of another kind stays, and keeps the points as they are") {
  Verdict verdict;
  verdict.ending = Ending::timed_out;
  verdict.checks = {worth("output", 20, Status::passed), worth("kernel", 0, Status::failed)};
  settle(verdict);
  CHECK(verdict.ending == Ending::timed_out);
  CHECK(verdict.points == 20);
}

TEST_CASE("what a file keeps from being measured earns nothing, whatever passed beside it") {
  Verdict verdict;
  verdict.ending = Ending::not_measurable;
  verdict.checks = {worth("memory", 20, Status::passed), worth("output", 40, Status::failed)};
  settle(verdict);
  CHECK(verdict.ending == Ending::not_measurable);
  CHECK(verdict.points == 0);
  CHECK(verdict.max_points == 60);
}

TEST_CASE("the first failed check is found in order") {
  const std::vector<Check> checks{worth("output", 1, Status::passed),
                                  worth("memory", 1, Status::failed),
                                  worth("traffic", 1, Status::failed)};
  CHECK(first_failed(checks)->name == "memory");
  CHECK(first_failed({checks[0]}) == nullptr);
  CHECK(find(checks, "traffic") == &checks[2]);
  CHECK(find(checks, "time") == nullptr);
}

} // namespace course::judge
