#include "progress/skeleton.hpp"

#include "lab/marks.hpp"
#include "system/program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace course::progress {
namespace {

namespace fs = std::filesystem;

const std::string kSkeleton = "// 01_one/1_first: a title\n  //! [work]\n  // TODO: this.\n"
                              "  old();\n  //! [work]\nend\n";
const std::string kSolution = "// 01_one/1_first: a title\n  //! [work]\n  fine();\n"
                              "  //! [work]\nend\n";
const std::string kMine = "// 01_one/1_first: a title\n  //! [work]\n  mine();\n"
                          "  //! [work]\nend\n";

lab::Exercise an_exercise() {
  lab::Exercise exercise;
  exercise.id = "01_one/1_first";
  return exercise;
}

constexpr const char* kLab = "labs/01_one/1_first.cu";
constexpr const char* kSolved = "solutions/01_one/1_first.cu";

struct Course {
  fs::path root = fs::temp_directory_path() / ("skeleton_" + std::to_string(getpid()));
  Course() { fs::create_directory(root); }
  ~Course() { fs::remove_all(root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path, std::ios::binary) << text;
  }
  bool commit(const std::string& message) const {
    const auto run = [&](std::vector<std::string> arguments) {
      std::vector<std::string> all{"git",         "-C", root.string(),   "-c",
                                   "user.name=a", "-c", "user.email=a@b"};
      all.insert(all.end(), arguments.begin(), arguments.end());
      return system::output_of(all).has_value();
    };
    return run({"init", "-q"}) && run({"add", "-A"}) && run({"commit", "-qm", message});
  }
  std::optional<Skeleton> find() const {
    auto exercise = an_exercise();
    exercise.solution = root / kSolved;
    return find_skeleton(exercise, root, root / "copies");
  }
};

} // namespace

TEST_CASE("a skeleton is known by its solution, or by its marks where that is withheld") {
  CHECK(is_skeleton(kSkeleton, kSolution));
  CHECK_FALSE(is_skeleton(kMine, kSolution));
  CHECK_FALSE(is_skeleton(kSolution, kSolution));
  CHECK_FALSE(is_skeleton("// TODO", kSolution));
  CHECK_FALSE(is_skeleton(kSkeleton + "more\n", kSolution));
  CHECK(is_skeleton(kSkeleton, std::nullopt));
  CHECK_FALSE(is_skeleton(kMine, std::nullopt));
  CHECK_FALSE(is_skeleton("no marks\n", std::nullopt));
}

TEST_CASE("work is what stands between the marks: a header of another version is none") {
  CHECK(is_edited(kMine, kSkeleton));
  CHECK_FALSE(is_edited(kSkeleton, kSkeleton));
  auto other = kSkeleton;
  other.replace(other.find("a title"), 7, "another");
  CHECK_FALSE(is_edited(other, kSkeleton));
}

TEST_CASE("from git's history it comes as it was before any edit, committed or not" *
          doctest::test_suite("needs git")) {
  const Course course;
  course.write(kSolved, kSolution);
  course.write(kLab, kSkeleton);
  if (!course.commit("the course")) {
    MESSAGE("skipped: git does not work here");
    return;
  }
  course.write(kLab, kMine);
  REQUIRE(course.commit("solved"));
  const auto found = course.find();
  REQUIRE(found);
  CHECK(found->text == kSkeleton);
  CHECK(found->from == Skeleton::From::history);
  CHECK(found->source() == "git's history");
}

TEST_CASE("a skeleton of another version of the course is not taken from the history" *
          doctest::test_suite("needs git")) {
  const Course course;
  course.write(kSolved, "// another\n" + kSolution);
  course.write(kLab, kSkeleton);
  if (!course.commit("the course")) {
    MESSAGE("skipped: git does not work here");
    return;
  }
  course.write("copies/" + std::string(kLab), "// another\n" + kSkeleton);
  const auto found = course.find();
  REQUIRE(found);
  CHECK(found->text == "// another\n" + kSkeleton);
}

TEST_CASE("without git it comes from the build's copy, unless that was made after an edit") {
  const Course course;
  course.write(kSolved, kSolution);
  course.write(kLab, kMine);
  course.write("copies/" + std::string(kLab), kSkeleton);
  REQUIRE(course.find());
  CHECK(course.find()->text == kSkeleton);
  CHECK(course.find()->from == Skeleton::From::copy);
  course.write("copies/" + std::string(kLab), kMine);
  REQUIRE(course.find());
  CHECK(course.find()->from == Skeleton::From::solution);
}

TEST_CASE(
    "at last it is the solution with its marked regions emptied, and that is a skeleton too") {
  const auto text = emptied(kSolution);
  REQUIRE(text);
  CHECK(*text == "// 01_one/1_first: a title\n  //! [work]\n  // TODO: your code.\n"
                 "  //! [work]\nend\n");
  CHECK(is_skeleton(*text, kSolution));
  CHECK_FALSE(emptied("no marks\n"));
  CHECK(emptied("  // Your work begins here.\n  fine();\n  // Your work ends here.\n") ==
        "  // Your work begins here.\n  // TODO: your code.\n  // Your work ends here.\n");
  CHECK_FALSE(emptied("//! [work]\nopen\n"));
}

TEST_CASE("where nothing is left, there is no skeleton") {
  const Course course;
  course.write(kLab, kMine);
  CHECK_FALSE(course.find());
}

TEST_CASE("a program that fails, or is not there, has no output") {
  CHECK(system::output_of({"printf", "a%s", "b"}) == "ab");
  CHECK_FALSE(system::output_of({"false"}));
  CHECK_FALSE(system::output_of({"no_such_program_anywhere"}));
}

} // namespace course::progress
