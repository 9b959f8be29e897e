#include "lab/look.hpp"

#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

const Exercise& padded() {
  return *find(exercises(COURSE_SOURCE_DIR), "05_transpose/2_pad").exercise;
}

device::LineCounts at(std::uint32_t line, const char* access, std::uint64_t wavefronts,
                      std::uint64_t sectors) {
  auto row = hand_made::row(line, access, 1, sectors, wavefronts);
  row.ideal = wavefronts ? 1 : 0;
  return row;
}

} // namespace

TEST_CASE("the largest execution is kept, and can be done again") {
  hand_made::Stage stage;
  const auto looked = look(padded(), {stage.file, 1}, stage.tools());
  REQUIRE(looked.job);
  CHECK_FALSE(looked.seen.launches.empty());
  CHECK_FALSE(looked.job->buffers.empty());
  CHECK(looked.verdict.exercise == "05_transpose/2_pad");
}

TEST_CASE("the solution is not looked at where limits are asked of it") {
  hand_made::Stage stage("int mine;\n");
  auto exercise = padded();
  for (auto& one : exercise.cases) one.by_solution = {"conflicts"};
  const auto looked = look(exercise, {stage.file, 1}, stage.tools());
  REQUIRE(looked.job);
  CHECK(looked.job->modules.at(0).source == "int mine;\n");
}

TEST_CASE("two calls of a function are not looked at as one") {
  hand_made::Stage stage;
  stage.again = true;
  look(padded(), {stage.file, 1}, stage.tools());
  CHECK(stage.several.before.empty());
  grade(padded(), {stage.file, 1}, stage.tools());
  CHECK_FALSE(stage.several.before.empty());
}

TEST_CASE("where nothing was executed the verdict says why") {
  hand_made::Stage stage;
  stage.rejected = build::Rejected{build::Rejected::Reason::diagnostics, "2_pad.cu(3): error"};
  const auto looked = look(padded(), {stage.file, 1}, stage.tools());
  CHECK_FALSE(looked.job);
  CHECK(looked.verdict.ending == judge::Ending::did_not_compile);
}

TEST_CASE("a line's conflicts say more than its sectors") {
  device::Observation seen;
  seen.lines = {at(29, "global_store_4", 0, 1000), at(29, "shared_load_4", 32, 0),
                at(30, "shared_load_4", 99, 0)};
  const auto* telling = telling_access(seen, "2_pad.cu", 29);
  REQUIRE(telling);
  CHECK(name_of(telling->kind) == "shared_load_4");
  seen.lines[1].wavefronts = 1; // no conflict: still the one with wavefronts
  CHECK(name_of(telling_access(seen, "2_pad.cu", 29)->kind) == "shared_load_4");
  CHECK(telling_access(seen, "2_pad.cu", 31) == nullptr);
  CHECK(telling_access(seen, "other.cu", 29) == nullptr);
}

} // namespace course::lab
