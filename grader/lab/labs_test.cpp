#include "lab/labs.hpp"

#include "lab/drawn.hpp"
#include "lab/row_sectors.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>

namespace course::lab {
namespace {

std::string found(const std::string& typed) {
  const auto result = find(exercises(COURSE_SOURCE_DIR), typed);
  return result.exercise ? result.exercise->id : "";
}

} // namespace

TEST_CASE("an exercise is found by id, name, path, or a start that fits no other") {
  CHECK(found("05_transpose/2_pad") == "05_transpose/2_pad");
  CHECK(found("2_pad") == "05_transpose/2_pad");
  CHECK(found("labs/05_transpose/2_pad.cu") == "05_transpose/2_pad");
  CHECK(found("/home/ann/2_pad.cu") == "05_transpose/2_pad");
  CHECK(found("4_any") == "05_transpose/4_any_shape");
  CHECK(found("05_transpose/3") == "05_transpose/3_rows");
  CHECK(found("05/2") == "05_transpose/2_pad");
  CHECK(found("01/1") == "01_banks/1_predict");
  CHECK(found("05/9") == "");
  CHECK(found("5/2") == "05_transpose/2_pad");
  CHECK(found("5_transpose/4_any_shape") == "05_transpose/4_any_shape");
}

TEST_CASE("a name without its number, and a long one with a slip, are guessed") {
  CHECK(found("pad") == "05_transpose/2_pad");
  CHECK(found("predict") == "01_banks/1_predict");
  CHECK(found("rows") == "05_transpose/3_rows");
  CHECK(found("1_predct") == "01_banks/1_predict");
  CHECK(found("05_transpose/2_pat") == "05_transpose/2_pad");
}

TEST_CASE("a word that fits several, or none, finds nothing") {
  for (const char* typed : {"05_transpose", "05", "", "pa", "2_pad2", "../2_pad", ".cu"})
    CHECK_MESSAGE(found(typed).empty(), typed);
}

TEST_CASE("a word that fits several lists them, a slip lists what is near") {
  CHECK(find(exercises(COURSE_SOURCE_DIR), "05_tr").near.size() == 8);
  CHECK(find(exercises(COURSE_SOURCE_DIR), "2_pat").near[0]->name() == "2_pad");
  CHECK(find(exercises(COURSE_SOURCE_DIR), "3_rwos").near[0]->name() == "3_rows");
  CHECK(find(exercises(COURSE_SOURCE_DIR), std::string(100'000, 'x')).near.empty());
  CHECK(find(exercises(COURSE_SOURCE_DIR), "foo").near.empty());
  CHECK(find(exercises(COURSE_SOURCE_DIR), "99/1").near.empty());
}

TEST_CASE("ids are unique, and every exercise is complete") {
  std::set<std::string> ids;
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    INFO(exercise.id);
    CHECK(ids.insert(exercise.id).second);
    CHECK_FALSE(exercise.title.empty());
    CHECK_FALSE(exercise.signature.empty());
    CHECK_FALSE(exercise.explanation.empty());
    CHECK(exercise.hints.size() == 3);
    for (const auto& hint : exercise.hints) CHECK_FALSE(hint.empty());
    CHECK((exercise.cases.size() >= 2 || !exercise.launches)); // a quiz has one shape
    std::set<std::string> names, shapes;
    for (const auto& graded : exercise.checks) {
      CHECK(names.insert(graded.check).second);
      CHECK((graded.pair.empty() || names.count(graded.pair))); // pairs stand before
      CHECK_FALSE(graded.reason.empty());
    }
    CHECK((names.count(exercise.skeleton_fails) || exercise.skeleton_fails == "launch"));
    for (const auto& one : exercise.cases) CHECK(shapes.insert(one.shape.label).second);
    for (const auto& [check, question] : exercise.questions) {
      CHECK(names.count(check));
      CHECK(question.ends_with("?"));
    }
  }
}

TEST_CASE("no exercise of this course asks its solution: a copy without solutions grades it") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR))
    for (const auto& one : cases_of(exercise, 1))
      CHECK_MESSAGE(one.by_solution.empty(), exercise.id);
}

TEST_CASE("every exercise is worth 100 points, 60 of them without a GPU where time is graded") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    INFO(exercise.id);
    int all = 0, timed = 0;
    for (const auto& graded : exercise.checks) {
      all += graded.points;
      if (graded.check == "time") timed += graded.points;
    }
    CHECK(all == 100);
    CHECK((timed == 40 || timed == 0));
  }
}

TEST_CASE("the reference turns a matrix, and knows the inputs it was given") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    if (exercise.lab() != "05_transpose" || exercise.id.ends_with("7_batch") ||
        exercise.id.ends_with("8_report"))
      continue;
    for (const auto& one : exercise.cases) {
      INFO(exercise.id << " " << one.shape.label);
      const auto inputs = one.inputs(Flavour::exact, 3);
      const auto out = one.reference(inputs);
      const auto rows = one.extent.cols, cols = one.extent.rows;
      REQUIRE(out.size() == rows * cols);
      REQUIRE(inputs[1].size() == rows * cols);
      CHECK(one.bounds.elements == rows * cols);
      bool turned = true;
      for (std::uint64_t i = 0; i < out.size(); ++i)
        turned = turned && out[i] == inputs[1][i % rows * cols + i / rows];
      CHECK(turned);
    }
  }
}

TEST_CASE(
    "limits of whole tiles are what one tile costs, times the tiles, and room to look again") {
  const auto exercise = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  for (const auto& one : exercise.cases) {
    const auto& bounds = one.bounds;
    const auto units = bounds.elements / 32;
    CHECK(bounds.conflicts == 0);
    CHECK(bounds.shared_loads.low == units);
    CHECK(bounds.shared_loads.high == units * 3 / 2);
    CHECK(bounds.global_loads.requests == units);
    CHECK(bounds.global_loads.sectors == with_room(4 * units));
    CHECK(bounds.global_stores.sectors == with_room(4 * units));
  }
}

TEST_CASE("limits over edges leave room for parts of tiles, and none for a naive store") {
  const auto exercise = *find(exercises(COURSE_SOURCE_DIR), "4_any_shape").exercise;
  const auto bounds = [&](const std::string& shape) {
    for (const auto& one : exercise.cases)
      if (one.shape == shape) return one.bounds;
    return judge::Bounds{};
  };
  CHECK(bounds("1 x 1").shared_loads.low == 1);
  CHECK(bounds("1 x 1").shared_loads.high == 56);
  CHECK(bounds("1 x 1000").global_loads.requests == 32);
  // 125 sectors, a tenth, one for each of the 31 rows of 32 tiles that are behind the edge, and of
  // the 32 across it; and a quarter.
  CHECK(bounds("1 x 1000").global_loads.sectors == 138 + 1024 + 291);
  const auto odd = bounds("67 x 129");
  CHECK(odd.global_loads.requests == 67 * 5);
  CHECK(odd.global_stores.requests == 129 * 3);
  CHECK(odd.global_loads.sectors < 67 * 129 / 3); // a naive store touches one for each element
  CHECK(odd.shared_loads.low == 271);
}

} // namespace course::lab
