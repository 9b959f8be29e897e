// `course class` from end to end: six submissions, with nvcc and CTest, to tables and pages.
#include "build/compile.hpp"
#include "classroom/published_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using classroom::content_of;

const fs::path kRoot = COURSE_SOURCE_DIR;
const std::string kCourse = "'" COURSE_BINARY_DIR "/bin/course' ";

struct Folder {
  fs::path path = fs::temp_directory_path() / ("class_test_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path / "submissions"); }
  Folder(const Folder&) = delete; // two would remove one folder
  ~Folder() { fs::remove_all(path); }

  void hand_in(const std::string& student, const fs::path& file) const {
    const auto text = content_of(kRoot / file);
    REQUIRE(text);
    classroom::publish(path / "submissions" / student / "2_pad.cu", *text);
  }
  int run(const std::string& command) const {
    const int status =
        std::system(("cd '" + path.string() + "' && " + command + " > output 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  std::string text(const fs::path& name) const { return content_of(path / name).value_or(""); }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a class is graded, once, and what cannot be is a row with its reason") {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  folder.hand_in("anna", "solutions/05_transpose/2_pad.cu");
  folder.hand_in("bert", "solutions/05_transpose/wrong/2_pad_shuffles.cu");
  folder.hand_in("clara", "solutions/05_transpose/2_pad.cu");
  classroom::publish(folder.path / "submissions/dora/2_pad.cu", "#error no\n");
  classroom::publish(folder.path / "submissions/emil.zip", "PK, cut off");
  classroom::publish(folder.path / "submissions/fritz/essay.txt", "");
  classroom::publish(folder.path / "results/class.json", "{\"seed\": 1, \"course\": \"CS 420\"}");

  REQUIRE(folder.run(kCourse + "class submissions --out results --also gradescope") == 0);
  const auto grades = folder.text("results/grades.csv");
  CHECK(has(grades, "anna,05_transpose,05_transpose/2_pad,graded,passed,60,60,"));
  CHECK(has(grades, "bert,05_transpose,05_transpose/2_pad,graded,failed,"));
  CHECK(has(grades, ",traffic,"));
  CHECK(has(grades, "clara,05_transpose,05_transpose/2_pad,graded,passed,60,60,"));
  CHECK(has(grades, "dora,05_transpose,05_transpose/2_pad,graded,did_not_compile,0,60,"));
  CHECK(has(grades, "emil,05_transpose,05_transpose/2_pad,missing,,0,60,,The zip file"));
  CHECK(has(grades, "fritz,05_transpose,05_transpose/2_pad,missing,,0,60,,There is no .cu file"));
  CHECK(has(folder.text("results/students/bert/index.html"), "FAILED</span>"));
  CHECK(has(folder.text("results/index.html"), "CS 420"));
  CHECK(nlohmann::json::parse(folder.text("results/students/anna/gradescope.json"))["score"] == 60);

  // The same again grades nothing, and everything is as it was.
  const auto events = folder.text("results/events.jsonl");
  CHECK(std::count(events.begin(), events.end(), '\n') == 3);
  CHECK(folder.run(kCourse + "class submissions --out results") == 0);
  CHECK(folder.text("results/events.jsonl") == events);
  CHECK(folder.text("results/grades.csv") == grades);

  // The folder is CTest's as well.
  CHECK(folder.run("ctest --test-dir results/ctest -L 05_transpose -N") == 0);
  CHECK(has(folder.text("output"), "Total Tests: 4"));
  CHECK(folder.run("ctest --test-dir results/ctest -R '^anna$'") == 0);

  // One submission, as a service runs it: known to the compile cache by now.
  CHECK(folder.run(kCourse + "autograde submissions/bert --gradescope results.json") == 0);
  CHECK(nlohmann::json::parse(folder.text("results.json"))["tests"][0]["status"] == "failed");
}

TEST_CASE("a class that cannot be graded at all says what to do") {
  const Folder folder;
  CHECK(folder.run(kCourse + "class nowhere --out results") == 2);
  CHECK(folder.run(kCourse + "class submissions --out results") != 0);
  classroom::publish(folder.path / "submissions/anna/2_pad.cu", "");
  classroom::publish(folder.path / "bad.json", "{\"labs\": 1}");
  CHECK(folder.run(kCourse + "class submissions --out results --settings bad.json") == 2);
  CHECK(has(folder.text("output"), "bad.json"));
}

} // namespace course::cli
