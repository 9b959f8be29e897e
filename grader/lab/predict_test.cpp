#include "lab/predict.hpp"

#include "lab/labs.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

// As measured on an H200: strides 1, 2, 3, 4, 32, 33; one word; two words of one bank; char,
// double, float4; structs of two and of three floats.
const Floats kMeasured{0, 1, 0, 3, 31, 0, 0, 1, 0, 0, 0, 1, 0};

judge::Execution answered(const Floats& output) {
  judge::Execution execution;
  execution.bounds.elements = output.size();
  execution.numbers = predictions(output);
  return execution;
}

judge::Check checked(std::size_t row, const Floats& output) {
  const std::vector<judge::Execution> executions{answered(output)};
  return check_prediction(questions()[row], executions);
}

} // namespace

TEST_CASE("the answers are what was measured") {
  REQUIRE(questions().size() == kMeasured.size());
  for (std::size_t i = 0; i < kMeasured.size(); ++i) {
    INFO(questions()[i].read);
    CHECK(conflicts(questions()[i]) == kMeasured[i]);
    CHECK(checked(i, kMeasured).status == judge::Status::passed);
  }
}

TEST_CASE("a wrong prediction fails its own row only, and is told which way, but no answer") {
  auto wrong = kMeasured;
  wrong[12] = 2;
  CHECK(checked(11, wrong).status == judge::Status::passed);
  const auto check = checked(12, wrong);
  CHECK(check.status == judge::Status::failed);
  CHECK(report::words(check).observed() == "triple[lane].x: 2 predicted, too high");
  CHECK(report::words(check).message ==
        "of the 13 reads, triple[lane].x has fewer conflicts than the 2 that you predict");
  CHECK(check.measures.at(0).high == 1);
  wrong[4] = 2; // 32 * lane: 31
  CHECK(report::words(checked(4, wrong)).observed() == "word[32 * lane]: 2 predicted, too low");
  CHECK(checked(4, wrong).measures.at(0).low == 3);
}

TEST_CASE("what is no prediction fails, and is not told the answer") {
  for (const float none : {-1.0f, -1e9f, 1e9f}) {
    auto output = kMeasured;
    output[0] = none;
    const auto check = checked(0, output);
    CHECK(check.status == judge::Status::failed);
    CHECK(report::words(check).observed() == "word[lane]: nothing predicted");
  }
  CHECK(checked(0, {}).status == judge::Status::failed);
}

TEST_CASE("an execution that was not completed is no pass") {
  auto execution = answered(kMeasured);
  execution.observed.status = device::Observation::Status::failed;
  const std::vector<judge::Execution> executions{execution};
  CHECK(check_prediction(questions()[0], executions).status == judge::Status::not_measured);
}

TEST_CASE("the quiz has a check for each row, and no launch") {
  const auto exercise = exercises(COURSE_SOURCE_DIR).front();
  CHECK_FALSE(exercise.launches);
  CHECK(exercise.checks.size() == questions().size());
  CHECK(exercise.cases[0].reference({{}}) == kMeasured);
}

} // namespace course::lab
