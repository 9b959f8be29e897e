#include "classroom/compare_runs.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

std::string student(const std::string& id, int points, double score) {
  return "{\"id\": \"" + id + "\", \"name\": \"" + id + "\", \"score\": " + std::to_string(score) +
         ", \"max_score\": 60, \"exercises\": [{\"exercise\": \"05_transpose/2_pad\", \"state\": "
         "\"graded\", \"verdict\": \"" +
         (points == 60 ? "passed" : "failed") +
         "\", \"counts\": true, \"points\": " + std::to_string(points) + ", \"max_points\": 60}]}";
}

} // namespace

TEST_CASE("two runs are compared student by student") {
  const hand_made::Folder folder;
  folder.write("old/grades.json", "{\"students\": [" + student("anna", 45, 45) + "," +
                                      student("bert", 60, 60) + "," + student("emil", 60, 60) +
                                      "," + student("gone", 0, 0) + "]}");
  folder.write("new/grades.json", "{\"students\": [" + student("anna", 60, 60) + "," +
                                      student("bert", 60, 60) + "," + student("emil", 60, 54) +
                                      "," + student("zoe", 60, 60) + "]}");
  const auto compared = compare(folder.path / "old", folder.path / "new");
  REQUIRE(std::holds_alternative<std::vector<Change>>(compared));
  const auto& changes = std::get<std::vector<Change>>(compared);
  REQUIRE(changes.size() == 4);
  CHECK(changes[0].student == "anna");
  CHECK(changes[0].before == "failed, 45 of 60");
  CHECK(changes[0].after == "passed, 60 of 60");
  CHECK(changes[1].student == "emil");
  CHECK(changes[1].after == "54.00 of 60.00");
  CHECK(changes[2].before.empty());
  CHECK(changes[3].student == "gone");
  CHECK(changes[3].after.empty());
}

TEST_CASE("what is no result of a class is a sentence") {
  const hand_made::Folder folder;
  folder.write("new/grades.json", "{\"students\": []}");
  folder.write("bad/grades.json", "{}");
  CHECK(std::holds_alternative<std::string>(compare(folder.path / "no", folder.path / "new")));
  CHECK(std::holds_alternative<std::string>(compare(folder.path / "new", folder.path / "bad")));
}

} // namespace course::classroom
