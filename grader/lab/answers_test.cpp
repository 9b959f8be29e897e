#include "lab/answers.hpp"

#include "lab/labs.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

judge::Check checked(const Floats& output, const RightAnswers& answers = {{0, 2, 1}, 3}) {
  judge::Execution execution;
  execution.bounds.elements = output.size();
  execution.numbers = answers_given(output);
  const std::vector<judge::Execution> executions{execution};
  return check_answers("answers", executions, answers);
}

std::string observed(const judge::Check& check) {
  return report::words(check).observed();
}

} // namespace

TEST_CASE("answers are right together, and a wrong one is not told from a right one") {
  CHECK(checked({0, 2, 1}).status == judge::Status::passed);
  CHECK(observed(checked({0, 2, 1})) == "all 3 as an H200 says");
  const auto none = checked({1, 0, 2});
  CHECK(none.status == judge::Status::failed);
  CHECK(none.measures.empty());
  CHECK(observed(none) == "not all 3 as an H200 says");
  for (const auto& output : {Floats{0, 2, 2}, Floats{1, 2, 1}, Floats{0, 0, 0}}) {
    CHECK(checked(output).status == judge::Status::failed);
    CHECK(observed(checked(output)) == observed(none));
    CHECK(report::words(checked(output)).message == report::words(none).message);
  }
}

TEST_CASE("answers that nobody measured are right or wrong, and no word is of a device") {
  const RightAnswers answers{{3, 1}, 2, false};
  CHECK(observed(checked({3, 1}, answers)) == "all 2 right");
  CHECK(observed(checked({3, 2}, answers)) == "not all 2 right");
}

TEST_CASE("where some right answers are enough, it is told how many are") {
  const RightAnswers answers{{0, 2, 1}, 2};
  CHECK(checked({0, 2, 7}, answers).status == judge::Status::passed);
  CHECK(observed(checked({0, 2, 7}, answers)) == "2 of 3 right");
  CHECK(checked({0, 1, 7}, answers).status == judge::Status::failed);
  CHECK(observed(checked({0, 1, 7}, answers)) == "1 of 3 right");
}

TEST_CASE("what is no whole number, or is missing, is no answer, and none is judged without it") {
  for (const float none : {-1.0f, 2.5f, 1e9f}) {
    const auto right = checked({0, 2, none}), wrong = checked({1, 1, none});
    CHECK(right.status == judge::Status::failed);
    CHECK(observed(right) == "1 of 3 missing");
    CHECK(observed(right) == observed(wrong));
  }
  CHECK(observed(checked({0, 2, -1}, {{0, 2, 1}, 1})) == "1 of 3 missing");
  CHECK(observed(checked({})) == "no answer yet");
}

TEST_CASE("a number that the task rules out is named as a slip, and is no answer") {
  RightAnswers answers{{0, 2, 1}, 3, true, {31, 31, 31}};
  CHECK(checked({0, 2, 1}, answers).status == judge::Status::passed);
  CHECK(observed(checked({0, 2, 31}, answers)) == "not all 3 as an H200 says");
  const auto slip = checked({0, 2, 40}, answers);
  CHECK(slip.status == judge::Status::failed);
  CHECK(observed(slip) == "40 is no answer");
  CHECK(report::words(slip).message ==
        "answer 3 of 3 is 40, and the task asks for a number from 0 to 31");
  CHECK_FALSE(std::get<judge::facts::Answered>(slip.facts).said[2]);
  answers.least = 2; // enough are right: it is a slip all the same, as a missing one would be
  CHECK(checked({0, 2, 40}, answers).status == judge::Status::failed);
  CHECK(observed(checked({0, 2, -1}, answers)) == "1 of 3 missing");
}

TEST_CASE("each exercise of answers says which numbers can be some") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR))
    for (const auto& graded : exercise.checks) {
      if (!graded.own || !exercise.cases.front().numbers) continue;
      judge::Execution execution;
      execution.numbers = answers_given(Floats(20, 999'999));
      execution.bounds.elements = 20;
      const auto check = graded.own(std::vector{execution});
      const auto* found = std::get_if<judge::facts::Answered>(&check.facts);
      CAPTURE(exercise.id);
      if (found) CHECK(found->too_large);
    }
}

TEST_CASE("an execution that was not completed is no pass") {
  judge::Execution execution;
  execution.bounds.elements = 1;
  execution.numbers = answers_given(Floats{2});
  execution.observed.status = device::Observation::Status::failed;
  const std::vector<judge::Execution> executions{execution};
  CHECK(check_answers("answers", executions, {{2}, 1}).status == judge::Status::not_measured);
}

TEST_CASE("the times that 06_constant_memory/4_explain asks about lie apart") {
  const auto exercise = *find(exercises(COURSE_SOURCE_DIR), "06/4").exercise;
  CHECK_FALSE(exercise.launches);
  const auto right = exercise.cases[0].reference({{}});
  CHECK(right.size() == 4);
  for (const auto& graded : exercise.checks) {
    judge::Execution execution;
    execution.bounds.elements = right.size();
    execution.numbers = answers_given(right);
    CHECK(graded.own(std::vector{execution}).status == judge::Status::passed);
  }
}

} // namespace course::lab
