#include "classroom/single.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Grading grading(const hand_made::Folder& folder) {
  Grading grading;
  grading.results = folder.path / "work";
  grading.exercises = &hand_made::exercises();
  grading.wanted = [](const std::string&) { return true; };
  grading.grade = [](const lab::Exercise& exercise, const std::filesystem::path& file) {
    return hand_made::verdict(exercise.id, *system::content_of(file));
  };
  return grading;
}

} // namespace

TEST_CASE("a submission by itself is what was handed in, or what is asked for") {
  const hand_made::Folder folder;
  folder.write("submission/2_pad.cu", "good");
  folder.write("submission/2_ratio.cu", "bad");
  Settings settings;
  auto student = grade_single(folder.path / "submission", hand_made::member("anna"), settings,
                              grading(folder));
  CHECK(student.name == "anna");
  REQUIRE(student.exercises.size() == 2);
  CHECK(student.score == 10);
  CHECK(student.max_score == 20);
  settings.exercises = {"05_transpose/1_tile", "05_transpose/2_pad"};
  student = grade_single(folder.path / "submission", hand_made::member("anna"), settings,
                         grading(folder));
  REQUIRE(student.exercises.size() == 2);
  CHECK(student.exercises[0].state == report::State::missing);
  CHECK(student.exercises[1].passed());
}

TEST_CASE("a submission of nothing says so") {
  const hand_made::Folder folder;
  folder.write("submission/readme.txt", "");
  const auto student =
      grade_single(folder.path / "submission", hand_made::member("anna"), {}, grading(folder));
  CHECK(student.exercises.empty());
  CHECK(student.problems.front() == "There is no .cu file in it.");
}

} // namespace course::classroom
