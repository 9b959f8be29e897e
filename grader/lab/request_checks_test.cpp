#include "lab/request_checks.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

using judge::Status;

device::LineCounts line(std::uint32_t number, const std::string& access, std::uint64_t requests,
                        std::uint64_t conflicts) {
  device::LineCounts counts;
  counts.line = number;
  counts.access = access;
  counts.requests = counts.ideal = requests;
  counts.wavefronts = requests + conflicts;
  return counts;
}

std::vector<judge::Execution> execution() {
  judge::Execution one;
  one.bounds.elements = 64;
  one.observed.lines = {line(7, "shared_load_4", 10, 5), line(8, "shared_load_16", 30, 0),
                        line(9, "shared_store_4", 4, 60), line(9, "cp_async_cg_16", 100, 100)};
  return {one};
}

} // namespace

TEST_CASE("requests are those of the named kind, whatever their width") {
  auto executions = execution();
  executions[0].bounds.others["requests"] = {40, 40};
  CHECK(requests_within("requests", "shared_load")(executions).status == Status::passed);
  executions[0].bounds.others["requests"] = {0, 39};
  const auto check = requests_within("requests", "shared_load")(executions);
  CHECK(check.status == Status::failed);
  CHECK(check.observed == "40 requests, on line 8");
  CHECK(check.limit == "39");
  executions[0].bounds.others["requests"] = {41, judge::Measure::kNoLimit};
  CHECK(requests_within("requests", "shared_load")(executions).status == Status::failed);
}

TEST_CASE("a copy that goes on by itself is no store of a thread") {
  auto executions = execution();
  executions[0].bounds.others["stores"] = {0, 4};
  CHECK(requests_within("stores", "shared_store")(executions).measures[0].value == 4);
}

TEST_CASE("conflicts of loads are counted without those of stores and copies") {
  auto executions = execution();
  executions[0].bounds.conflicts = 5;
  CHECK(conflicts_within("load_conflicts", "shared_load")(executions).status == Status::passed);
  executions[0].bounds.conflicts = 4;
  const auto check = conflicts_within("load_conflicts", "shared_load")(executions);
  CHECK(check.status == Status::failed);
  CHECK(check.place.line == 7);
}

TEST_CASE("without an execution, or without a bound, there is nothing to hold against") {
  CHECK(requests_within("requests", "shared_load")({}).status == Status::not_measured);
  CHECK(requests_within("requests", "shared_load")(execution()).status == Status::passed);
}

TEST_CASE("of two checks the second one counts as well, under the first one's name") {
  const auto check = [](const std::string& name, judge::Status status) -> OwnCheck {
    return [=](judge::Executions) {
      judge::Check made;
      made.name = name;
      made.status = status;
      return made;
    };
  };
  using S = judge::Status;
  CHECK(both(check("a", S::passed), check("b", S::passed))({}).status == S::passed);
  CHECK(both(check("a", S::passed), check("b", S::failed))({}).status == S::failed);
  CHECK(both(check("a", S::passed), check("b", S::failed))({}).name == "a");
  CHECK(both(check("a", S::failed), check("b", S::passed))({}).status == S::failed);
  CHECK(both(check("a", S::passed), check("b", S::not_measured))({}).status == S::passed);
}

} // namespace course::lab
