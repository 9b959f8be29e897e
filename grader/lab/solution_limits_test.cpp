#include "lab/solution_limits.hpp"

#include "lab/by_solution.hpp"
#include "lab/drawn.hpp"
#include "lab/exercise_file.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"
#include "lab/named.hpp"
#include "system/published_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::lab {
namespace {

namespace fs = std::filesystem;

// 2_pad, which asks its solution for these.
Exercise limited_by(const std::vector<std::string>& what) {
  auto exercise = named(exercises(COURSE_SOURCE_DIR), "2_pad");
  for (auto& one : exercise.cases) one.by_solution = what;
  exercise.drawn = [drawn = exercise.drawn, what](Draw& draw) {
    auto cases = drawn(draw);
    for (auto& one : cases) one.by_solution = what;
    return cases;
  };
  return exercise;
}

std::string limits(const Exercise& exercise, hand_made::Stage& solution) {
  return std::get<std::string>(limits_as_data(exercise, solution.tools()));
}

// 2_pad as it is read where this stands at the end of its data, and not a word of limits before.
Exercise read_with(const hand_made::Stage& stage, const std::string& text) {
  const auto labs = stage.file.parent_path() / "labs" / "05_transpose";
  const fs::path from = fs::path(COURSE_SOURCE_DIR) / "labs" / "05_transpose";
  auto lab = system::content_of(from / "lab.toml").value();
  lab.resize(lab.find("\n[limits]"));
  system::publish(labs / "lab.toml", lab);
  system::publish(labs / "2_pad.toml", system::content_of(from / "2_pad.toml").value() + text);
  return read_exercise(labs / "2_pad.toml");
}

// Its conflicts grow faster than its arrays.
struct Curved : hand_made::Stage {
  device::Observation execute(const device::Job& job) override {
    auto observed = Stage::execute(job);
    for (auto& row : observed.lines)
      if (row.wavefronts > 0) row.wavefronts += row.requests * row.requests;
    return observed;
  }
};

const std::vector<std::string> kAll{"conflicts", "coalescing", "traffic", "cost"};

} // namespace

TEST_CASE("limits that grow with an array are a formula of its elements, for every shape") {
  hand_made::Stage solution;
  solution.ways = 4;
  const auto exercise = limited_by(kAll);
  const auto text = limits(exercise, solution);
  INFO(text);
  CHECK(text.find("global_loads = {requests = \"ceil(0.03125 * (rows * cols))\"") != text.npos);
  CHECK(text.find("rows ==") == text.npos);
  const auto copy = read_with(solution, text);
  CHECK(copy.cases.front().by_solution.empty());
  for (const std::uint64_t seed : {9, 10}) {
    auto asked = cases_of(exercise, seed);
    REQUIRE_FALSE(ask_solution(exercise, asked, seed, solution.tools()));
    const auto given = cases_of(copy, seed);
    REQUIRE(given.size() == asked.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto& [mine, theirs] = std::pair(asked[i].bounds, given[i].bounds);
      const auto near = [](std::uint64_t one, std::uint64_t other) {
        return one <= other && other <= one + std::max<std::uint64_t>(40, one / 40);
      };
      CHECK(near(mine.conflicts, theirs.conflicts));
      CHECK(near(mine.global_loads.sectors, theirs.global_loads.sectors));
      CHECK(near(mine.global_stores.requests, theirs.global_stores.requests));
      CHECK(near(mine.shared_loads.high, theirs.shared_loads.high));
      CHECK(near(theirs.shared_loads.low, mine.shared_loads.low));
      CHECK(near(mine.cost.instructions, theirs.cost.instructions));
      CHECK(near(mine.cost.requests, theirs.cost.requests));
    }
  }
}

TEST_CASE("what no line goes through is a number for each shape with a name, and no limit else") {
  Curved solution;
  const auto exercise = limited_by({"conflicts"});
  const auto text = limits(exercise, solution);
  INFO(text);
  CHECK(text.find("conflicts = false") != text.npos);
  CHECK(text.find("if = \"cols == 96 && rows == 64\"") != text.npos);
  const auto copy = read_with(solution, text);
  auto asked = exercise.cases;
  REQUIRE_FALSE(ask_solution(exercise, asked, 1, solution.tools()));
  for (std::size_t i = 0; i < asked.size(); ++i)
    CHECK(copy.cases[i].bounds.conflicts == asked[i].bounds.conflicts);
  Draw draw(5);
  CHECK(copy.drawn(draw).front().bounds.conflicts == judge::Measure::kNoLimit);
}

TEST_CASE("what asks for nothing gets nothing, nor does what needs its solution for the answer") {
  hand_made::Stage solution;
  CHECK(limits(limited_by({}), solution).empty());
  CHECK(limits(limited_by({"output", "cost"}), solution).empty());
  CHECK(solution.compilations == 0);
}

TEST_CASE("a solution that cannot be asked is a fault") {
  hand_made::Stage solution;
  solution.refuses = "it has a texture";
  CHECK(std::holds_alternative<judge::EndedBy>(
      limits_as_data(limited_by({"cost"}), solution.tools())));
}

} // namespace course::lab
