#include "classroom/student_copy.hpp"

#include "classroom/hand_made_folder.hpp"
#include "lab/exercise_file.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

// Enough to be told apart.
const std::string kAnswer =
    "int f(int a) { while (a > 0) { a -= 2; if (a == 7) break; } return a; }\n"
    "int g(int b) { return b < 3 ? ~b : b * b + (b >> 1) - f(b & 3); }\n";

struct Course {
  hand_made::Folder folder;
  StudentCopy copy;
  Course() {
    copy.project = folder.path / "project";
    copy.skeletons = folder.path / "skeletons";
    copy.exercises = &hand_made::exercises();
    folder.write("project/labs/05_transpose/2_pad.cu", "// mine\n" + kAnswer);
    folder.write(
        "project/labs/05_transpose/2_pad.toml",
        "title = \"t\"\nhints = [\"a \\\"nudge\\\"\", \"\"\"\nmore\"\"\", \"the answer\"]\n");
    folder.write("project/solutions/05_transpose/2_pad.cu", kAnswer);
    folder.write("project/attacks/odd/x.cu", kAnswer);
    folder.write("project/book/traces/solutions_05.json", "{}");
    folder.write("project/book/traces/labs_05.json", "{}");
    folder.write("project/README.md", "read me");
    fs::permissions(folder.write("project/course", "#!/bin/sh\n"), fs::perms::owner_all);
    folder.write("skeletons/labs/05_transpose/2_pad.cu", "// as released\n");
  }
  fs::path to() const { return folder.path / "out"; }
};

} // namespace

TEST_CASE("students get skeletons and no answers") {
  const Course project;
  CHECK(write_student_copy(project.to(), project.copy).empty());
  CHECK(system::content_of(project.to() / "labs/05_transpose/2_pad.cu") == "// as released\n");
  const auto data = *system::content_of(project.to() / "labs/05_transpose/2_pad.toml");
  CHECK(data.find("the answer") == data.npos);
  CHECK(data.find("\\\"nudge\\\"") != data.npos);
  for (const char* name : {"solutions", "attacks", "book/traces/solutions_05.json"})
    CHECK_FALSE(fs::exists(project.to() / name));
  CHECK(fs::exists(project.to() / "README.md"));
  CHECK(fs::exists(project.to() / "book/traces/labs_05.json"));
  CHECK((fs::status(project.to() / "course").permissions() & fs::perms::owner_exec) !=
        fs::perms::none);
  CHECK_THROWS_AS(write_student_copy(project.to(), project.copy), fs::filesystem_error);
}

TEST_CASE("an answer that hides elsewhere is named") {
  const Course project;
  project.folder.write("project/chapters/notes.md", "As a program:\n" + kAnswer);
  const auto leaks = write_student_copy(project.to(), project.copy);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].file == "chapters/notes.md");
  CHECK(leaks[0].exercise == "05_transpose/2_pad");
  CHECK(leaks[0].share > 0.9);
}

TEST_CASE("what somebody put beside the course is not taken along") {
  const Course project;
  project.folder.write("project/handed_in/anna/2_pad.cu", "hers");
  project.folder.write("project/roster.csv", "id,name\n");
  const auto inside = project.copy.project / "for_students";
  CHECK(write_student_copy(inside, project.copy).empty());
  CHECK(fs::exists(inside / "README.md"));
  CHECK_FALSE(fs::exists(inside / "handed_in"));
  CHECK_FALSE(fs::exists(inside / "roster.csv"));
  fs::remove_all(inside);

  const auto git = "git -C '" + project.copy.project.string() + "' ";
  REQUIRE(std::system((git + "init -q && " + git + "add README.md labs course").c_str()) == 0);
  project.folder.write("project/labs/notes.md", "not under version control");
  CHECK(write_student_copy(inside, project.copy).empty());
  CHECK(fs::exists(inside / "labs/05_transpose/2_pad.cu"));
  CHECK_FALSE(fs::exists(inside / "labs/notes.md"));
  CHECK_FALSE(fs::exists(inside / "handed_in"));
}

TEST_CASE("translations lose their third hints") {
  const std::string toml = "[1_tile]\nhint_2 = \"a\"\nhint_3 = \x27\x27\x27\nthe "
                           "answer\x27\x27\x27\nexplanation = \"b\"\n"
                           "[1_tile.of]\nhint_3 = \"0123456\"\n";
  CHECK(without_translated_hints(toml) == "[1_tile]\nhint_2 = \"a\"\nhint_3 = \"=\"\nexplanation = "
                                          "\"b\"\n[1_tile.of]\nhint_3 = \"=\"\n");
  const Course project;
  project.folder.write("project/chapters/zh/labs/05_transpose.toml", toml);
  CHECK(write_student_copy(project.to(), project.copy).empty());
  CHECK(system::content_of(project.to() / "chapters/zh/labs/05_transpose.toml")->find("answer") ==
        std::string::npos);
}

TEST_CASE("every exercise of the course loses its third hint, and nothing else") {
  const fs::path root = COURSE_SOURCE_DIR;
  const hand_made::Folder folder;
  for (const auto& exercise : lab::exercises(root)) {
    const auto name = fs::path("labs") / (exercise.id + ".toml");
    folder.write(name.string(), without_third_hint(*system::content_of(root / name)));
    const auto shared = name.parent_path() / "lab.toml";
    if (fs::exists(root / shared))
      folder.write(shared.string(), *system::content_of(root / shared));
  }
  for (const auto& exercise : lab::exercises(root)) {
    INFO(exercise.id);
    const auto read = lab::read_exercise(folder.path / "labs" / (exercise.id + ".toml"));
    CHECK(read.hints[0] == exercise.hints[0]);
    CHECK(read.hints[1] == exercise.hints[1]);
    CHECK(read.hints.size() == 2);
    CHECK(read.explanation == exercise.explanation);
    CHECK(read.checks.size() == exercise.checks.size());
  }
}

} // namespace course::classroom
