#include "lab/predict.hpp"

#include "lab/answers.hpp"
#include "lab/labs.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

// As measured on an H200: strides 1, 2, 3, 4, 32, 33; one word; two words of one bank; char,
// double, float4; structs of two and of three floats.
const Floats kMeasured{0, 1, 0, 3, 31, 0, 0, 1, 0, 0, 0, 1, 0};

Exercise quiz() {
  return exercises(COURSE_SOURCE_DIR).front();
}

// By the quiz's check of that place.
judge::Check checked(std::size_t check, const Floats& output) {
  judge::Execution execution;
  execution.bounds.elements = output.size();
  execution.numbers = answers_given(output);
  return quiz().checks.at(check).own(std::vector{execution});
}

} // namespace

TEST_CASE("the answers are what was measured") {
  REQUIRE(questions().size() == kMeasured.size());
  for (std::size_t i = 0; i < kMeasured.size(); ++i) {
    INFO(questions()[i].read);
    CHECK(conflicts(questions()[i]) == kMeasured[i]);
  }
  CHECK_FALSE(quiz().launches);
  CHECK(quiz().cases[0].reference({{}}) == kMeasured);
}

TEST_CASE("the quiz is judged whole: how many rows are right, and nowhere which") {
  for (const std::size_t check : {0u, 1u})
    CHECK(checked(check, kMeasured).status == judge::Status::passed);
  auto wrong = kMeasured;
  wrong[12] = 2;
  CHECK(checked(0, wrong).status == judge::Status::passed);
  CHECK(report::words(checked(0, wrong)).observed() == "12 of 13 right");
  CHECK(checked(1, wrong).status == judge::Status::failed);
  CHECK(report::words(checked(1, wrong)).observed() == "not all 13 as an H200 says");
  auto another = kMeasured; // one of the others
  another[4] = 2;
  for (const std::size_t check : {0u, 1u})
    CHECK(report::words(checked(check, another)).message ==
          report::words(checked(check, wrong)).message);
  wrong[0] = wrong[1] = wrong[2] = 7;
  CHECK(checked(0, wrong).status == judge::Status::failed);
  CHECK(report::words(checked(0, wrong)).message ==
        "right of your 13 answers: 9; which, you are not told");
}

} // namespace course::lab
