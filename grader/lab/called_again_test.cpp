#include "lab/called_again.hpp"

#include "lab/drawn.hpp"
#include "lab/grade.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

namespace course::lab {

TEST_CASE("the launcher is called twice in one process, and the second answer counts") {
  const auto& pad = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  hand_made::Stage stage;
  const auto graded = [&] { return grade(pad, {stage.file, 42}, stage.tools()); };
  stage.recording.steps_before = 1;
  CHECK(graded().ending == judge::Ending::passed);
  CHECK(stage.executions == 3 * static_cast<int>(cases_of(pad, 42).size()) + 2);
  CHECK(stage.last.before.size() == stage.last.arguments.size());

  stage.keeps = true;
  const auto verdict = graded();
  CHECK(verdict.ending == judge::Ending::failed);
  const auto* output = judge::first_failed(verdict.checks);
  REQUIRE(output);
  CHECK(output->name == "output");
  CHECK(output->shape.again);
}

} // namespace course::lab
