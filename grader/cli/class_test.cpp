// `course class` from end to end: six submissions, with nvcc and CTest, to tables and pages.
#include "build/compile.hpp"
#include "system/published_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using system::content_of;

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
    system::publish(path / "submissions" / student / "2_pad.cu", *text);
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

TEST_CASE("a class is graded, once, and what cannot be is a row with its reason" *
          doctest::test_suite("needs nvcc")) {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  folder.hand_in("anna", "solutions/05_transpose/2_pad.cu");
  folder.hand_in("bert", "solutions/05_transpose/wrong/2_pad_shuffles.cu");
  folder.hand_in("clara", "solutions/05_transpose/2_pad.cu");
  system::publish(folder.path / "submissions/dora/2_pad.cu", "#error no\n");
  system::publish(folder.path / "submissions/emil.zip", "PK, cut off");
  system::publish(folder.path / "submissions/fritz/essay.txt", "");
  system::publish(folder.path / "class.toml",
                  "seed = 1\ncourse = \"CS 420\"\ncounts = \"points\"\n");

  REQUIRE(folder.run(kCourse + "class submissions --out results --settings class.toml "
                               "--also gradescope") == 0);
  const auto grades = folder.text("results/grades.csv");
  CHECK(has(grades, "anna,05_transpose,05_transpose/2_pad,graded,passed,60,60,"));
  CHECK(has(grades, "bert,05_transpose,05_transpose/2_pad,graded,failed,"));
  CHECK(has(grades, ",traffic,"));
  CHECK(has(grades, "clara,05_transpose,05_transpose/2_pad,graded,passed,60,60,"));
  CHECK(has(grades, "dora,05_transpose,05_transpose/2_pad,graded,did_not_compile,0,60,"));
  CHECK(has(grades, "emil,05_transpose,05_transpose/2_pad,missing,,0,60,,The archive"));
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

  // Settings are those of the first command, and nothing that failed is nothing to run again.
  CHECK(folder.run(kCourse + "class --tables --out results") == 0);
  CHECK(folder.text("results/grades.csv") == grades);
  CHECK(has(folder.text("results/index.html"), "CS 420"));
  CHECK(nlohmann::json::parse(folder.text("results/students/anna/gradescope.json"))["score"] == 60);
  CHECK(folder.run(kCourse + "class --out results --rerun-failed") == 0);
  CHECK(has(folder.text("output"), "nothing failed"));
  CHECK(folder.text("results/events.jsonl") == events);
  system::publish(folder.path / "more.toml", "[students.nobody]\nextra_days = 1\n");
  CHECK(folder.run(kCourse + "class --tables --out results --settings more.toml") == 2);
  CHECK(has(folder.text("output"), "more.toml:1: students.nobody: nobody in the class"));
  CHECK(folder.run(kCourse + "class --tables --out results --also none") == 0);
  CHECK_FALSE(fs::exists(folder.path / "results/students/anna/gradescope.json"));

  // An instructor's word counts until it is taken back, and two runs can be compared.
  fs::copy(folder.path / "results", folder.path / "before", fs::copy_options::recursive);
  const auto decide = kCourse + "decide ";
  CHECK(folder.run(decide + "dora 2_pad --score 61 --because generous") == 2);
  CHECK(has(folder.text("output"), "60 points at most"));
  CHECK(folder.run(decide + "dora 2_pad --score 10") == 2);
  CHECK(folder.run(decide + "nobody 2_pad --score 10 --because x") == 2);
  CHECK(folder.run(decide + "dora 2_pad --request 'a typing error'") == 0);
  CHECK(has(folder.text("results/index.html"), "a typing error"));
  CHECK(folder.run(decide + "dora 2_pad --score 10 --because 'the idea is right'") == 0);
  CHECK(has(folder.text("results/grades.csv"), "dora,05_transpose,05_transpose/2_pad,graded,"
                                               "did_not_compile,10,60,"));
  CHECK(has(folder.text("results/students/dora/index.html"), "the idea is right"));
  CHECK(has(folder.text("results/moodle.csv"), ",,,dora,10.00,10.00,16.67,"));
  CHECK(folder.run(decide + "--list") == 0);
  CHECK(has(folder.text("output"), "request, decided"));
  CHECK(folder.run(decide + "dora --request 'and the rest?'") == 0); // of no exercise
  CHECK(folder.run(decide + "--answer 3") == 2);
  CHECK(folder.run(decide + "--answer 3 'there is no rest'") == 0);
  CHECK(folder.run(decide + "--answer 3 'again'") == 2);
  CHECK(has(folder.text("results/students/dora/index.html"), "there is no rest"));
  CHECK_FALSE(has(folder.text("results/index.html"), "and the rest?"));
  CHECK(folder.run(decide + "--undo 4 && " + decide + "--undo 3") == 0);

  // In an anonymous class they are named by their numbers.
  system::publish(folder.path / "hidden.toml",
                  "seed = 1\ncourse = \"CS 420\"\ncounts = \"points\"\nanonymous = true\n");
  CHECK(folder.run(kCourse + "class --tables --out results --settings hidden.toml") == 0);
  const auto names = folder.text("results/names.csv");
  const auto number = names.substr(names.find(",dora,") - 12, 12);
  CHECK(folder.run(decide + number + " 2_pad --score 61 --because generous") == 2);
  CHECK(has(folder.text("output"), "60 points at most"));
  CHECK(folder.run(decide + number + " --comment 'see me'") == 0);
  CHECK(has(folder.text("output"), number));
  CHECK_FALSE(has(folder.text("output"), "dora"));
  CHECK(folder.run(decide + "--undo 5") == 0);
  CHECK(folder.run(kCourse + "class --tables --out results --settings class.toml") == 0);
  CHECK(folder.run(kCourse + "class --compare before --out results") == 1);
  CHECK(has(folder.text("output"), "dora 05_transpose/2_pad: did_not_compile, 0 of 60 -> "
                                   "did_not_compile, 10 of 60\n1 difference"));
  CHECK(folder.run(decide + "--undo 2 && " + decide + "--undo 1") == 0);
  CHECK(folder.text("results/grades.csv") == grades);
  CHECK(folder.run(kCourse + "class --compare before --out results") == 0);
  const auto json = nlohmann::json::parse(folder.text("results/grades.json"));
  const std::string archived = json["students"][3]["exercises"][0]["archived"];
  CHECK(folder.text("results/" + archived) == "#error no\n");
  const std::string bert = json["students"][1]["exercises"][0]["archived"];
  CHECK(folder.run(kCourse + "grade 2_pad --device emulated --seed 1 --file results/" + bert) == 1);
  CHECK(has(folder.text("output"), "traffic")); // an appeal, graded again as it was

  // Only what is above the skeleton: it is graded once, and nobody's row.
  system::publish(folder.path / "above.toml", "seed = 1\n"
                                              "exercises = [\"05_transpose/2_pad\"]\n");
  CHECK(folder.run(kCourse + "class --out results -L 05 --settings above.toml") == 0);
  CHECK(has(folder.text("results/grades.csv"),
            "anna,05_transpose,05_transpose/2_pad,graded,passed,15,15,"));
  CHECK(folder.run(kCourse + "class --tables --out results --settings class.toml") == 0);
  CHECK(folder.text("results/grades.csv") == grades);

  // The folder is CTest's as well.
  CHECK(folder.run("ctest --test-dir results/ctest -L 05_transpose -N") == 0);
  CHECK(has(folder.text("output"), "Total Tests: 4"));
  CHECK(folder.run("ctest --test-dir results/ctest -R '^anna$'") == 0);

  // Two submissions at once, as a service runs them, each in a folder of its own; what has the name
  // of one stays what it was. Both are known to the compile cache by now.
  system::publish(folder.path / "tmp/autograde", "somebody else's");
  const auto graded = [&](const std::string& student) {
    return kCourse + "autograde submissions/" + student + " --gradescope " + student + ".json";
  };
  CHECK(folder.run("export TMPDIR=\"$PWD/tmp\"; " + graded("bert") + " & " + graded("anna") +
                   " && wait $!") == 0);
  const auto status = [&](const char* file) {
    return nlohmann::json::parse(folder.text(file))["tests"][0]["status"];
  };
  CHECK(status("anna.json") == "passed");
  CHECK(status("bert.json") == "failed");
  CHECK(std::distance(fs::directory_iterator(folder.path / "tmp"), {}) == 1);
  CHECK(folder.text("tmp/autograde") == "somebody else's");
}

TEST_CASE("untouched is worth nothing, one of two files can count, and who is forgotten is gone" *
          doctest::test_suite("needs nvcc")) {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  folder.hand_in("anna", "labs/05_transpose/2_pad.cu");
  folder.hand_in("bert", "labs/05_transpose/2_pad.cu");
  const auto solution = *content_of(kRoot / "solutions/05_transpose/2_pad.cu");
  system::publish(folder.path / "submissions/bert/2_pad-1.cu", solution);
  const auto grades = [&](const char* row) { return has(folder.text("results/grades.csv"), row); };
  REQUIRE(folder.run(kCourse + "class submissions --out results") == 0);
  CHECK(grades("anna,05_transpose,05_transpose/2_pad,graded,failed,0,15,"));
  CHECK(grades("bert,05_transpose,05_transpose/2_pad,refused,,0,15,"));

  // Tables alone apply settings, or say what does.
  system::publish(folder.path / "points.toml", "counts = \"points\"\n");
  CHECK(folder.run(kCourse + "class --tables --out results --settings points.toml") == 0);
  CHECK(grades("anna,05_transpose,05_transpose/2_pad,graded,failed,45,60,"));
  system::publish(folder.path / "newest.toml", "of_two_files = \"newest\"\n");
  CHECK(folder.run(kCourse + "class --tables --out results --settings newest.toml") == 2);
  CHECK(has(folder.text("output"), "of_two_files is in what was read and graded. Run course class "
                                   "--out "));
  system::publish(folder.path / "usual.toml", "");
  CHECK(folder.run(kCourse + "class --tables --out results --settings usual.toml") == 0);

  const auto decide = kCourse + "decide ";
  CHECK(folder.run(decide + "bert 2_pad --file 3_pad.cu") == 2);
  CHECK(has(folder.text("output"), "which one counts?"));
  CHECK(folder.run(decide + "anna 2_pad --file 2_pad.cu") == 0); // its only file
  CHECK(folder.run(decide + "bert 2_pad --file 2_pad-1.cu") == 0);
  CHECK(grades("bert,05_transpose,05_transpose/2_pad,graded,passed,15,15,"));
  CHECK(folder.run(decide + "--undo 2") == 0);
  CHECK(grades("bert,05_transpose,05_transpose/2_pad,refused,,0,15,"));
  CHECK(folder.run(kCourse + "class --out results --settings newest.toml") == 0);
  CHECK(grades("bert,05_transpose,05_transpose/2_pad,graded,passed,15,15,"));

  system::publish(folder.path / "many.csv", "student,exercise,score,because\nanna,2_pad,7.5,half\n"
                                            "nobody,2_pad,1,x\n");
  CHECK(folder.run(decide + "--from many.csv") == 2);
  CHECK(has(folder.text("output"), "many.csv:3: nobody in the class is nobody"));
  CHECK(grades("anna,05_transpose,05_transpose/2_pad,graded,failed,0,15,"));
  system::publish(folder.path / "many.csv", "student,exercise,score,because,comment\n"
                                            "anna,2_pad,7.5,half,\nbert,,,,see me\n");
  CHECK(folder.run(decide + "--from many.csv --by Rosa") == 0);
  CHECK(grades("anna,05_transpose,05_transpose/2_pad,graded,failed,7.5,15,"));
  CHECK(folder.run(decide + "--list") == 0);
  CHECK(has(folder.text("output"), " Rosa  anna  05_transpose/2_pad  7.5 of 15 points: half"));
  CHECK(folder.run(decide + "anna 2_pad --score -1 --because x") == 2);
  CHECK(has(folder.text("output"), "-1 is below 0"));

  const auto before = folder.text("results/totals.csv");
  CHECK(folder.run(kCourse + "forget bert") == 0);
  CHECK(has(folder.text("output"), "nothing was changed"));
  CHECK(folder.text("results/totals.csv") == before);
  CHECK(folder.run(kCourse + "forget bert --yes") == 1); // it is still handed in
  CHECK(has(folder.text("output"), "--submissions removes it, too"));
  CHECK(has(before, "bert,15.00"));
  CHECK_FALSE(has(folder.text("results/totals.csv"), "bert"));
  REQUIRE(folder.run(kCourse + "class --out results") == 0); // as it says
  CHECK(has(folder.text("results/totals.csv"), "bert,15.00"));
  CHECK_MESSAGE(folder.run(kCourse + "forget bert --yes --submissions") == 0,
                folder.text("output"));
  CHECK(folder.run(kCourse + "class --out results") == 0);
  CHECK_FALSE(has(folder.text("results/totals.csv"), "bert"));
  CHECK(grades("anna,05_transpose,05_transpose/2_pad,graded,failed,7.5,15,"));
}

namespace {

// A kit whose grader is the one of this build, as setup.sh would have built it.
void write_kit(const Folder& folder, const std::string& service, const std::string& to) {
  REQUIRE(folder.run(kCourse + "autograder " + service + " --out " + to + " 2_pad") == 0);
  const auto program = folder.path / to / "course/course";
  fs::remove(program);
  system::publish(program, "#!/bin/sh\nexec " + kCourse + "\"$@\"\n");
  fs::permissions(program, fs::perms::owner_all);
}

} // namespace

TEST_CASE("Gradescope's autograder grades in the folders of that service, late work included" *
          doctest::test_suite("needs nvcc")) {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  write_kit(folder, "gradescope", "autograder/source");
  system::publish(folder.path / "autograder/source/class.toml", R"(
    seed = 1
    exercises = ["05_transpose/2_pad"]
    late.percent_a_day = 10
    labs.05_transpose.due = 2026-11-20T23:59:00+01:00)");
  system::publish(folder.path / "autograder/submission_metadata.json",
                  R"({"id": 1, "created_at": "2026-11-21T14:22:32.365935+01:00"})");
  system::publish(folder.path / "autograder/submission/2_pad.cu",
                  *content_of(kRoot / "solutions/05_transpose/2_pad.cu"));
  fs::create_directories(folder.path / "autograder/results");
  REQUIRE(folder.run("AUTOGRADER=\"$PWD/autograder\" autograder/source/run_autograder") == 0);
  const auto results = nlohmann::json::parse(folder.text("autograder/results/results.json"));
  CHECK(results["score"] == 54);
  CHECK(has(results["output"], "1 day late"));
  CHECK(results["tests"][0]["status"] == "passed");
  CHECK(results["tests"][0]["visibility"] == "after_published");

  // A submission that nothing can be done with has its reason, and a result file.
  fs::remove(folder.path / "autograder/submission/2_pad.cu");
  system::publish(folder.path / "autograder/submission/essay.txt", "");
  CHECK(folder.run("AUTOGRADER=\"$PWD/autograder\" autograder/source/run_autograder") == 0);
  CHECK(has(folder.text("autograder/results/results.json"), "no .cu file"));
}

TEST_CASE("Classroom 50's autograder grades a checkout and writes result.json there" *
          doctest::test_suite("needs python3")) {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  if (folder.run("python3 --version") != 0) {
    MESSAGE("skipped: there is no python3");
    return;
  }
  write_kit(folder, "classroom50", "bundle");
  system::publish(folder.path / "bundle/class.toml",
                  "seed = 1\nexercises = [\"05_transpose/2_pad\"]\n");
  system::publish(folder.path / "checkout/05_transpose/2_pad.cu",
                  *content_of(kRoot / "solutions/05_transpose/wrong/2_pad_shuffles.cu"));
  REQUIRE(folder.run("cd checkout && CLASSROOM=cs420 ASSIGNMENT=lab5 OWNER=anna "
                     "ASSIGNMENT_TYPE=group SUBMISSION_TAG=submit/1 COURSE=../bundle/course/course "
                     "python3 ../bundle/autograder.py") == 0);
  const auto result = nlohmann::json::parse(folder.text("checkout/result.json"));
  CHECK(result["schema"] == "classroom50/result/v1");
  CHECK(result["owner"] == "anna");
  CHECK(result["submission"] == "submit/1");
  CHECK(result["assignment_type"] == "group");
  CHECK(result["score"] < result["max-score"]);
  CHECK(std::any_of(result["tests"].begin(), result["tests"].end(),
                    [](const auto& test) { return test["passed"] == false; }));
  CHECK(result["max-score"] == 60);
  const auto body = folder.text("checkout/release-body.md");
  CHECK(has(body, "### lab5: 35 / 60\n\n```\n05_transpose/2_pad"));
  CHECK(has(body, "Not solved yet"));
  CHECK(body.ends_with("\n```\n"));
}

TEST_CASE("hostile submissions are rows that steer, run and calculate nothing" *
          doctest::test_suite("needs nvcc")) {
  if (!build::find_toolkit()) {
    MESSAGE("skipped: there is no nvcc");
    return;
  }
  const Folder folder;
  const std::string formula = "=cmd|'touch pwned'!A1", words = "]==] \";${X} $(touch pwned)\n=1",
                    escape = "\x1b]0;pwned\x07\xff";
  for (const auto& name : {formula, words, escape, std::string("-rf")})
    folder.hand_in(name, "solutions/05_transpose/2_pad.cu");
  const auto submissions = folder.path / "submissions";
  for (const char* name : {"large", "link", "pipe"}) fs::create_directory(submissions / name);
  system::publish(submissions / "large/2_pad.cu", "");
  fs::resize_file(submissions / "large/2_pad.cu", 1ull << 30);
  fs::create_symlink("/dev/zero", submissions / "link/2_pad.cu");
  REQUIRE(mkfifo((submissions / "pipe/2_pad.cu").c_str(), 0600) == 0);
  fs::create_directory_symlink(formula, submissions / "copy");
  fs::create_symlink("/dev/zero", submissions / "zeros.zip");

  REQUIRE(folder.run(kCourse + "class submissions --out results") == 0);
  CHECK_FALSE(has(folder.text("output"), "\x1b"));
  const auto grades = folder.text("results/grades.csv");
  CHECK(has(grades, "\r\n'" + formula + ",05_transpose,05_transpose/2_pad,graded,passed,15,15,"));
  CHECK(has(grades, "\r\n'-rf,05_transpose,05_transpose/2_pad,graded,passed,15,15,"));
  for (const char* name : {"large", "link", "pipe"})
    CHECK(has(grades, std::string(name) + ",05_transpose,05_transpose/2_pad,refused,,0,15,"));
  for (const char* name : {"copy", "zeros"})
    CHECK(has(grades, std::string(name) + ",05_transpose,05_transpose/2_pad,refused,,0,15,"));
  CHECK(std::count(grades.begin(), grades.end(), '\n') == 10);
  for (const char* table : {"grades.csv", "totals.csv", "similar.csv"})
    for (const char* start : {"\n=", "\n-", "\n ", "\x1b", "\xff"})
      CHECK_FALSE_MESSAGE(has(folder.text(fs::path("results") / table), start), table);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path))
    CHECK(entry.path().filename() != "pwned");
}

TEST_CASE(
    "the course as students clone it has every skeleton, and no file that gives answers away") {
  const Folder folder;
  CHECK(folder.run(kCourse + "publish --out students") == 0);
  CHECK_MESSAGE(has(folder.text("output"), "is for students"), folder.text("output"));
  const auto skeleton = folder.text("students/labs/05_transpose/2_pad.cu");
  CHECK(skeleton == *content_of(kRoot / "labs/05_transpose/2_pad.cu"));
  for (const char* name :
       {"solutions", "attacks",
        "book/traces/solutions_02_padding_1_square__out_i_tile_x_y__block_0_warps_0_31.json",
        "build", ".git"})
    CHECK_FALSE(fs::exists(folder.path / "students" / name));
  CHECK(fs::exists(folder.path / "students/course"));
  CHECK(folder.run(kCourse + "publish --out students") == 7); // it is not empty
}

TEST_CASE("a class that cannot be graded at all says what to do") {
  const Folder folder;
  CHECK(folder.run(kCourse + "class nowhere --out results") == 2);
  CHECK(folder.run(kCourse + "class submissions --out results") != 0);
  system::publish(folder.path / "submissions/anna/2_pad.cu", "");
  system::publish(folder.path / "bad.toml", "\nlabs = 1\n");
  CHECK(folder.run(kCourse + "class submissions --out results --settings bad.toml") == 2);
  CHECK(has(folder.text("output"), "bad.toml:2: labs: should be a table"));
  CHECK_FALSE(fs::exists(folder.path / "results/class.toml"));
  CHECK(folder.run(kCourse + "class --out fresh") == 2);
  CHECK(has(folder.text("output"), "SUBMISSIONS is missing"));
}

} // namespace course::cli
