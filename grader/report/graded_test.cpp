#include "report/graded.hpp"

#include "report/hand_made_students.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("a verdict's JSON says all that gradebooks need") {
  const auto exercise = hand_made::graded("conflicts", "05_transpose/2_pad");
  CHECK(exercise.points == 45);
  CHECK(exercise.max_points == 60);
  CHECK(exercise.lab() == "05_transpose");
  CHECK_FALSE(exercise.passed());
  CHECK(outcome(exercise) == "failed");
  CHECK(reason(exercise).starts_with("conflicts: "));
  const auto failed = std::find_if(exercise.checks.begin(), exercise.checks.end(),
                                   [](const auto& check) { return check.name == "conflicts"; });
  REQUIRE(failed != exercise.checks.end());
  CHECK(failed->status == judge::Status::failed);
  CHECK(failed->line == 29);
}

TEST_CASE("what is no verdict is refused") {
  CHECK_THROWS_AS(graded_exercise(nlohmann::json::object()), nlohmann::json::exception);
  auto verdict = nlohmann::json::parse(json_text(json(hand_made::verdicts().at("passed"))));
  verdict["points"] = "many";
  CHECK_THROWS_AS(graded_exercise(verdict), nlohmann::json::exception);
}

TEST_CASE("what the grader could not do is neither points nor a loss") {
  CHECK_FALSE(hand_made::ungraded(State::not_graded, "a/b").counts());
  CHECK(hand_made::ungraded(State::missing, "a/b").counts());
  CHECK(hand_made::ungraded(State::refused, "a/b").counts());
  auto exercise = hand_made::graded("passed", "a/b");
  CHECK(exercise.counts());
  exercise.verdict = "set_up";
  CHECK_FALSE(exercise.counts());
  CHECK_FALSE(exercise.passed());
}

TEST_CASE("what a file keeps from being measured counts, as nothing, and says until when") {
  auto exercise = hand_made::graded("passed", "a/b");
  exercise.verdict = "not_measurable";
  exercise.headline = "Host code calls cudaMemcpy.";
  CHECK(exercise.counts());
  CHECK_FALSE(exercise.passed());
  CHECK(reason(exercise) ==
        "Host code calls cudaMemcpy. It counts as 0 points until an instructor decides.");
}

TEST_CASE("an exercise that passed needs no reason, any other has one") {
  for (const auto& exercise : hand_made::student().exercises) {
    INFO(exercise.id);
    CHECK(reason(exercise).empty() == exercise.passed());
  }
}

} // namespace course::report
