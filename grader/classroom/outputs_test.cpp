#include "classroom/outputs.hpp"

#include "classroom/grade_submission.hpp"
#include "classroom/hand_made_folder.hpp"
#include "classroom/plan.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace course::classroom {
namespace {

struct Class {
  hand_made::Folder folder;
  Publishing publishing;
  Class() {
    folder.write("submissions/anna/05_transpose/2_pad.cu", "good");
    folder.write("submissions/bert/05_transpose/2_pad.cu", "bad");
    folder.write("submissions/L\xf6ve/08_tiled_product/2_ratio.cu", "good");
    folder.write("submissions/zoe.zip", "no zip");
    publishing.results = folder.path / "results";
    publishing.course = folder.path;
    publishing.exercises = &hand_made::exercises();
    publishing.seed = 424242;
    publishing.formats = formats_of_class();
    plan();
  }
  void plan() const {
    Planning planning;
    planning.results = publishing.results;
    planning.plan = {{{"", folder.path / "submissions"}}, 1, "emulated", {}};
    planning.exercises = &hand_made::exercises();
    planning.command = {"course"};
    make_plan(planning);
  }
  void grade(const std::vector<lab::Exercise>& exercises = hand_made::exercises()) const {
    Grading grading;
    grading.results = publishing.results;
    grading.exercises = &exercises;
    grading.wanted = [](const std::string&) { return true; };
    grading.grade = [](const lab::Exercise& exercise, const std::filesystem::path& file) {
      return hand_made::verdict(exercise.id, *system::content_of(file));
    };
    for (const auto& id : read_roster(publishing.results)) grade_submission(id, grading);
  }
  std::string text(const std::string& name) const {
    return system::content_of(publishing.results / name).value_or("");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("everybody is in every table, before and after grading") {
  Class one;
  auto done = publish_outputs(one.publishing);
  CHECK(done.students == 4);
  CHECK(done.unread == 4);
  CHECK(has(one.text("index.html"), "4 submissions or exercises are not graded yet"));
  one.grade();
  done = publish_outputs(one.publishing);
  CHECK(done.unread == 0);
  CHECK(done.not_graded == 0);
  CHECK(done.refused == 1); // the zip file
  const auto json = nlohmann::json::parse(one.text("grades.json"));
  REQUIRE(json["students"].size() == 4);
  for (const auto& student : json["students"]) CHECK(student["exercises"].size() == 2);
  CHECK(has(one.text("grades.csv"), "anna,05_transpose,05_transpose/2_pad,graded,passed,10,10,"));
  CHECK(has(one.text("grades.csv"), "bert,05_transpose,05_transpose/2_pad,graded,failed,0,10,"));
  CHECK(has(one.text("grades.csv"), "zoe,05_transpose,05_transpose/2_pad,missing,,0,10,"));
  CHECK(has(one.text("totals.csv"), "anna,10.00,20.00"));
  CHECK(has(one.text("junit.xml"), "<testsuite name=\"bert\""));
}

TEST_CASE("everything can be made again from the records alone") {
  Class one;
  one.grade();
  publish_outputs(one.publishing);
  const auto before = one.text("grades.json") + one.text("grades.csv") + one.text("junit.xml") +
                      one.text("index.html") + one.text("students/anna/index.html");
  for (const char* name : {"grades.json", "grades.csv", "junit.xml", "index.html"})
    std::filesystem::remove(one.publishing.results / name);
  std::filesystem::remove_all(one.publishing.results / "students");
  std::filesystem::remove_all(one.folder.path / "submissions");
  publish_outputs(one.publishing);
  CHECK(one.text("grades.json") + one.text("grades.csv") + one.text("junit.xml") +
            one.text("index.html") + one.text("students/anna/index.html") ==
        before);
}

TEST_CASE("each student has a page, and what other services take") {
  Class one;
  one.grade();
  publish_outputs(one.publishing);
  CHECK(has(one.text("students/anna/index.html"), "10 of 20 points"));
  CHECK(has(one.text("students/anna/index.html"), ", by the date of the file</p>"));
  CHECK(has(one.text("students/anna/index.html"), "Time was not measured: that needs a GPU."));
  CHECK(nlohmann::json::parse(one.text("students/anna/gradescope.json"))["score"] == 10);
  CHECK(nlohmann::json::parse(one.text("students/anna/prairielearn.json"))["score"] == 0.5);
  for (const char* name : {"findings.sarif", "github.txt", "autolab.txt"})
    CHECK_MESSAGE(one.text(std::string("students/bert/") + name).empty(), name); // nobody reads it
}

TEST_CASE("the seed is told, and feedback given at once, when the settings say so") {
  Class one;
  one.grade();
  publish_outputs(one.publishing);
  const auto everything = [&] {
    return one.text("students/anna/index.html") + one.text("students/anna/gradescope.json") +
           one.text("grades.json");
  };
  CHECK_FALSE(has(everything(), "424242"));
  CHECK(has(everything(), "after_published"));
  one.publishing.settings.tell_seed = true;
  one.publishing.settings.feedback_at_once = true;
  publish_outputs(one.publishing);
  CHECK(has(one.text("students/anna/index.html"), "--seed 424242"));
  CHECK_FALSE(has(everything(), "after_published"));
}

TEST_CASE("the class's page says which exercises changed since they were graded") {
  Class one;
  auto exercises = hand_made::exercises();
  exercises[1].files = {one.folder.write("2_pad.toml", "points = 10")};
  one.publishing.exercises = &exercises;
  one.grade();
  publish_outputs(one.publishing);
  CHECK(has(one.text("index.html"), "05_transpose/2_pad changed since this was graded"));
  one.grade(exercises);
  publish_outputs(one.publishing);
  CHECK_FALSE(has(one.text("index.html"), "changed since this was graded"));
}

TEST_CASE("only the exercises that are asked for count") {
  Class one;
  one.publishing.settings.exercises = {"08_tiled_product/2_ratio"};
  one.grade();
  publish_outputs(one.publishing);
  CHECK(has(one.text("totals.csv"), "anna,0.00,10.00"));
}

TEST_CASE("a record that is lost is a row that is not graded") {
  Class one;
  one.grade();
  std::filesystem::remove(
      record_path(one.publishing.results, read_roster(one.publishing.results).at(1)));
  CHECK(publish_outputs(one.publishing).unread == 1);
  CHECK(has(one.text("grades.csv"), "anna,05_transpose,05_transpose/2_pad,not_graded,,,,"));
  one.plan();
  one.grade();
  CHECK(publish_outputs(one.publishing).unread == 0);
}

} // namespace course::classroom
