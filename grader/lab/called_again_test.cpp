#include "lab/called_again.hpp"

#include "lab/drawn.hpp"
#include "lab/grade.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

namespace course::lab {

TEST_CASE("the launcher is called three times in one process, with two shapes, and each answer "
          "counts") {
  const auto& pad = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  hand_made::Stage stage;
  stage.again = true;
  const auto graded = [&] { return grade(pad, {stage.file, 42}, stage.tools()); };
  CHECK(graded().ending == judge::Ending::passed);
  CHECK(stage.executions == 3 * static_cast<int>(cases_of(pad, 42).size()) + 3);

  const auto& [first, second] = std::pair(stage.several.before.at(0), stage.several.before.at(1));
  const auto& last = stage.several.arguments;
  CHECK(std::pair(first[2].bits, first[3].bits) != std::pair(second[2].bits, second[3].bits));
  CHECK(std::pair(first[2].bits, first[3].bits) == std::pair(last[2].bits, last[3].bits));
  CHECK(last[0].bits == first[0].bits);
  CHECK(last[1].bits == second[1].bits);
  CHECK(first[0].bits != second[0].bits);

  for (const std::size_t calls : {1, 2}) {
    stage.keeps = calls;
    const auto verdict = graded();
    CHECK(verdict.ending == judge::Ending::failed);
    const auto* output = judge::first_failed(verdict.checks);
    REQUIRE(output);
    CHECK(output->name == "output");
    CHECK(output->shape.again);
  }
}

} // namespace course::lab
