#include "lab/by_solution.hpp"

#include "lab/hand_made_tools.hpp"
#include "lab/inputs.hpp"
#include "lab/labs.hpp"
#include "lab/named.hpp"
#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

// 2_pad, whose data say no more than the tests want.
Exercise asking(const std::vector<std::string>& what) {
  auto exercise = named(exercises(COURSE_SOURCE_DIR), "2_pad");
  for (auto& one : exercise.cases) {
    one.by_solution = what;
    if (what.front() == "output") one.reference = nullptr;
  }
  return exercise;
}

} // namespace

TEST_CASE("without a reference, the right answer is what the solution computes") {
  hand_made::Stage solution;
  auto exercise = asking({"output"});
  const auto known = named(exercises(COURSE_SOURCE_DIR), "2_pad");
  REQUIRE_FALSE(ask_solution(exercise, exercise.cases, 1, solution.tools()));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto inputs = exercise.cases[i].inputs(Flavour::random, 3);
    CHECK(exercise.cases[i].reference(inputs) == known.cases[i].reference(inputs));
  }
}

TEST_CASE("a limit that is not given is the solution's cost, and room") {
  hand_made::Stage solution;
  solution.ways = 4;
  auto exercise = asking({"conflicts", "coalescing", "traffic", "cost", "launches"});
  REQUIRE_FALSE(ask_solution(exercise, exercise.cases, 1, solution.tools()));
  const auto& bounds = exercise.cases[1].bounds; // 64 x 96: 192 units
  CHECK(bounds.conflicts == 3 * 192 + 58);
  CHECK(bounds.global_loads.requests == 192);
  CHECK(bounds.global_loads.sectors == 4 * 192 + 77);
  CHECK(bounds.shared_loads.low == 96);
  CHECK(bounds.shared_loads.high == 288);
  CHECK(bounds.cost.instructions == 8 * (30 * 192 + 500));
  CHECK(bounds.others.at("launches").high == 2);
}

TEST_CASE("what asks for nothing executes no solution") {
  hand_made::Stage solution;
  auto exercise = named(exercises(COURSE_SOURCE_DIR), "2_pad");
  REQUIRE_FALSE(ask_solution(exercise, exercise.cases, 1, solution.tools()));
  CHECK(solution.compilations == 0);
}

TEST_CASE("without the solution its limits are unknown, unless it is needed for the answer, too") {
  auto exercise = asking({"cost", "traffic"});
  CHECK(limits_unknown(exercise).empty());
  exercise.solution = "/nowhere/2_pad.cu";
  CHECK(limits_unknown(exercise) == std::vector<std::string>{"cost", "traffic"});
  exercise = asking({"output", "cost"});
  exercise.solution = "/nowhere/2_pad.cu";
  CHECK(limits_unknown(exercise).empty());
}

TEST_CASE("where the solution is not to be had, what it limits is not measured, and the rest is") {
  hand_made::Stage stage;
  auto published = asking({"traffic"});
  published.solution = "/nowhere/2_pad.cu";
  published.drawn = nullptr;
  const auto verdict = grade(published, {stage.file, 42}, stage.tools());
  const auto status = [&](const char* name) { return judge::find(verdict.checks, name)->status; };
  CHECK(verdict.ending == judge::Ending::passed);
  CHECK(status("output") == judge::Status::passed);
  CHECK(status("traffic") == judge::Status::not_measured);
  CHECK(verdict.points == verdict.max_points);
  CHECK(report::words(*judge::find(verdict.checks, "traffic")).observed() ==
        "is limited by what the solution costs, which your instructor has");
}

TEST_CASE("a solution that cannot be asked is told from a wrong answer") {
  const auto said = [](const std::optional<judge::EndedBy>& how) {
    return how ? report::ended_words(*how).headline : "";
  };
  hand_made::Stage broken;
  broken.rejected = build::Rejected{build::Rejected::Reason::diagnostics, "no"};
  auto exercise = asking({"output"});
  CHECK(said(ask_solution(exercise, exercise.cases, 1, broken.tools())) ==
        "The solution 2_pad.cu of this exercise does not compile, or is missing.");
  hand_made::Stage refused;
  refused.refuses = "it has a texture";
  CHECK(said(ask_solution(exercise, exercise.cases, 1, refused.tools())) ==
        "The solution 2_pad.cu of this exercise fails for a 32 x 32 matrix. The emulated device "
        "cannot execute this kernel: it has a texture");
  const auto verdict = grade(exercise, {refused.file, 1}, refused.tools());
  CHECK(verdict.ending == judge::Ending::set_up);
  CHECK(verdict.points == 0);
}

} // namespace course::lab
