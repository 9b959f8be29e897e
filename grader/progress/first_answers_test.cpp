#include "progress/first_answers.hpp"

#include <doctest/doctest.h>

namespace course::progress {
namespace {

constexpr const char* kExercise = "06_constant_memory/4_explain";

Event answered(const std::string& time, std::vector<std::uint64_t> answers, bool solved = false) {
  Event event;
  event.time = time;
  event.kind = Event::Kind::run;
  event.exercise = kExercise;
  event.run.ending = solved ? judge::Ending::passed : judge::Ending::failed;
  event.run.answers = std::move(answers);
  return event;
}

} // namespace

TEST_CASE("the first answers stay the first, and how many were right is known once it is solved") {
  std::vector<Event> events{answered("2026-11-21T07:05:13Z", {})};
  CHECK_FALSE(first_answers(events, kExercise));
  events.push_back(answered("2026-11-22T07:05:13Z", {1, 2, 0}));
  events.push_back(answered("2026-11-23T07:05:13Z", {1, 0, 0}));
  const auto before = first_answers(events, kExercise);
  REQUIRE(before);
  CHECK(before->when == "2026-11-22");
  CHECK(before->said == std::vector<std::uint64_t>{1, 2, 0});
  CHECK_FALSE(before->right);
  events.push_back(answered("2026-11-24T07:05:13Z", {1, 0, 2}, true));
  events.push_back(answered("2026-11-25T07:05:13Z", {1, 2, 0}));
  REQUIRE(first_answers(events, kExercise));
  CHECK(first_answers(events, kExercise)->right == 1);
  CHECK_FALSE(first_answers(events, "01_banks/1_predict"));
}

TEST_CASE("a run keeps the answers that it judged, and only when all were given") {
  judge::Verdict verdict;
  judge::Check check;
  check.name = "answers";
  check.facts = judge::facts::Answered{{1, 2, std::nullopt}, 1, 3};
  verdict.checks = {check};
  CHECK(run_of(verdict).answers.empty());
  verdict.checks[0].facts = judge::facts::Answered{{1, 2, 7}, 1, 3};
  Event event = answered("2026-11-21T07:05:13Z", {});
  event.run = run_of(verdict);
  const auto again = event_of(line_of(event));
  REQUIRE(again);
  CHECK(again->run.answers == std::vector<std::uint64_t>{1, 2, 7});
}

} // namespace course::progress
