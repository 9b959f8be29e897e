#include "lab/answers.hpp"

#include "lab/labs.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

judge::Check answer_checked(std::size_t place, const Floats& output) {
  judge::Execution execution;
  execution.bounds.elements = output.size();
  execution.numbers = answers_given(output);
  const std::vector<judge::Execution> executions{execution};
  return check_answer("fastest", executions, {place, 2});
}

} // namespace

TEST_CASE("an answer is right or not, and a wrong one is not told which is") {
  CHECK(answer_checked(1, {0, 2}).status == judge::Status::passed);
  const auto wrong = answer_checked(0, {0, 2});
  CHECK(wrong.status == judge::Status::failed);
  CHECK(wrong.measures.empty());
  CHECK(report::words(wrong).observed() == "not what an H200 says");
}

TEST_CASE("an answer that nobody measured is right or wrong, and no word is of a device") {
  judge::Execution execution;
  execution.numbers = answers_given(Floats{3});
  const std::vector<judge::Execution> executions{execution};
  CHECK(report::words(check_answer("line", executions, {0, 3, false})).observed() == "right");
  CHECK(report::words(check_answer("line", executions, {0, 4, false})).observed() == "wrong");
}

TEST_CASE("what is no whole number, or is missing, is no answer") {
  for (const float none : {-1.0f, 2.5f, 1e9f}) {
    const auto check = answer_checked(0, {none});
    CHECK(check.status == judge::Status::failed);
    CHECK(report::words(check).observed() == "no answer yet");
  }
  CHECK(answer_checked(3, {2}).status == judge::Status::failed);
}

TEST_CASE("the times that 06_constant_memory/4_explain asks about lie apart") {
  const auto exercise = *find(exercises(COURSE_SOURCE_DIR), "06/4").exercise;
  CHECK_FALSE(exercise.launches);
  const auto right = exercise.cases[0].reference({{}});
  REQUIRE(right.size() == exercise.checks.size());
  for (const auto& graded : exercise.checks) {
    judge::Execution execution;
    execution.bounds.elements = right.size();
    execution.numbers = answers_given(right);
    CHECK(graded.own(std::vector{execution}).status == judge::Status::passed);
  }
}

} // namespace course::lab
