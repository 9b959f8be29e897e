#include "lab/request_checks.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

using judge::Status;

device::LineCounts line(std::uint32_t number, const std::string& access, std::uint64_t requests,
                        std::uint64_t conflicts) {
  device::LineCounts counts;
  counts.line = number;
  counts.kind = model::kind_of(access).value();
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
  CHECK(requests_within("requests", Kind::shared_loads)(executions).status == Status::passed);
  executions[0].bounds.others["requests"] = {0, 39};
  const auto check = requests_within("requests", Kind::shared_loads)(executions);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "40 requests, on line 8");
  CHECK(report::words(check).limit == "39");
  executions[0].bounds.others["requests"] = {41, judge::Measure::kNoLimit};
  CHECK(requests_within("requests", Kind::shared_loads)(executions).status == Status::failed);
}

TEST_CASE("passes are those of the named kind, conflicts among them") {
  auto executions = execution();
  executions[0].bounds.others["passes"] = {0, 45};
  CHECK(passes_within("passes", Kind::shared_loads)(executions).status == Status::passed);
  executions[0].bounds.others["passes"] = {0, 44};
  const auto check = passes_within("passes", Kind::shared_loads)(executions);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "45 passes, on line 8");
}

TEST_CASE("global loads are counted without atomics and stores") {
  auto executions = execution();
  executions[0].observed.lines.push_back(line(11, "global_load_16", 6, 0));
  executions[0].observed.lines.push_back(line(12, "red_global_add_u32", 50, 0));
  executions[0].observed.lines.push_back(line(13, "global_store_4", 70, 0));
  executions[0].bounds.others["requests"] = {0, 6};
  CHECK(requests_within("requests", Kind::global_loads)(executions).measures[0].value == 6);
}

TEST_CASE("atomics in shared memory are counted without plain stores, and without global ones") {
  auto executions = execution();
  executions[0].observed.lines.push_back(line(10, "atom_shared_exch_b32", 7, 0));
  executions[0].observed.lines.push_back(line(12, "red_global_add_u32", 50, 0));
  executions[0].bounds.others["requests"] = {0, 6};
  const auto check = requests_within("requests", Kind::shared_atomics)(executions);
  CHECK(check.status == Status::failed);
  CHECK(check.measures[0].value == 7);
}

TEST_CASE("a copy that goes on by itself is no store of a thread") {
  auto executions = execution();
  executions[0].bounds.others["stores"] = {0, 4};
  CHECK(requests_within("stores", Kind::shared_stores_of_threads)(executions).measures[0].value ==
        4);
}

TEST_CASE("an atomic and a matrix are stored by threads too") {
  auto executions = execution();
  executions[0].observed.lines.push_back(line(10, "atom_shared_exch_b32", 7, 0));
  executions[0].observed.lines.push_back(line(11, "stmatrix_x4", 2, 0));
  executions[0].bounds.others["stores"] = {0, 0};
  const auto check = requests_within("stores", Kind::shared_stores_of_threads)(executions);
  CHECK(check.status == Status::failed);
  CHECK(check.measures[0].value == 4 + 7 + 2);
}

TEST_CASE("a count that is not certain fails no limit that the certain part keeps") {
  auto executions = execution();
  executions[0].observed.lines[1].width_from_sass = false; // 30 of 40
  const auto status = [&](std::uint64_t low, std::uint64_t high) {
    executions[0].bounds.others["requests"] = {low, high};
    return requests_within("requests", Kind::shared_loads)(executions).status;
  };
  CHECK(status(0, 40) == Status::passed);
  CHECK(status(0, 39) == Status::not_measured);
  CHECK(status(0, 9) == Status::failed);
  CHECK(status(41, judge::Measure::kNoLimit) == Status::failed);
  CHECK(status(40, judge::Measure::kNoLimit) == Status::passed);
  CHECK(status(10, judge::Measure::kNoLimit) == Status::passed);
}

TEST_CASE(
    "attempts that are repeated are more passes, and more conflicts only where they are said") {
  auto executions = execution();
  auto& line = executions[0].observed.lines[1];
  executions[0].bounds.conflicts = 100000;
  line.at_least = true;
  const auto conflicts = conflicts_within("conflicts", Kind::shared_memory);
  CHECK(passes_within("passes", Kind::shared_memory)(executions).status == Status::passed);
  executions[0].bounds.others["passes"] = {0, 100000};
  CHECK(passes_within("passes", Kind::shared_memory)(executions).status == Status::not_measured);
  CHECK(conflicts(executions).status == Status::passed);
  line.conflicts_at_least = true;
  CHECK(conflicts(executions).status == Status::not_measured);
}

TEST_CASE("what is not certain is told of a line that the limit is about, and of the heaviest") {
  auto executions = execution();
  auto& lines = executions[0].observed.lines;
  lines.insert(lines.begin(), line(7, "global_load_4", 500, 0));
  lines[0].width_from_sass = false; // uncertain, and of no concern here
  lines[2].width_from_sass = false;
  const auto load = lines[2].line;
  executions[0].bounds.others["requests"] = {0, 39};
  const auto check = requests_within("requests", Kind::shared_loads)(executions);
  CHECK(check.status == Status::not_measured);
  CHECK(check.place.line == load);
}

TEST_CASE("conflicts of loads are counted without those of stores and copies") {
  auto executions = execution();
  executions[0].bounds.conflicts = 5;
  CHECK(conflicts_within("load_conflicts", Kind::shared_loads)(executions).status ==
        Status::passed);
  executions[0].bounds.conflicts = 4;
  const auto check = conflicts_within("load_conflicts", Kind::shared_loads)(executions);
  CHECK(check.status == Status::failed);
  CHECK(check.place.line == 7);
}

TEST_CASE("without an execution, or without a bound, there is nothing to hold against") {
  CHECK(requests_within("requests", Kind::shared_loads)({}).status == Status::not_measured);
  CHECK(requests_within("requests", Kind::shared_loads)(execution()).status == Status::passed);
}

TEST_CASE("of two checks the second one counts as well, under the first one's name") {
  const auto check = [](const std::string& name, judge::Status status) -> CheckOf {
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
