#include "classroom/kit.hpp"

#include "classroom/hand_made_folder.hpp"
#include "classroom/settings.hpp"
#include "language/translate.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace course::classroom {
namespace {

constexpr const char* kKits = "grader/classroom/kits";

// A project whose program writes down how it was called.
struct Project {
  hand_made::Folder folder;
  Kit kit;
  Project() {
    const auto program = folder.write(
        "project/course", "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$(dirname \"$0\")/called\"\n");
    hand_made::fs::permissions(program, hand_made::fs::perms::owner_all);
    folder.write("project/labs/05_transpose/2_pad.cu", "edited");
    folder.write("project/labs/05_transpose/2_pad.toml",
                 "\nhints = [\"one\", \"two\", \"the answer\"]\n");
    folder.write("project/handed_in/anna/2_pad.cu", "hers");
    folder.write("project/results/grades.csv", "everybody's");
    folder.write("project/book/traces/solutions_05.json", "{}");
    folder.write("project/solutions/05_transpose/2_pad.cu", "the answer");
    folder.write("project/build/release/big", "x");
    folder.write("project/attacks/odd/other.cu", "an answer");
    folder.write("project/.git/config", "x");
    folder.write("project/.course/progress.jsonl", "its owner's");
    folder.write("copies/labs/05_transpose/2_pad.cu", "as shipped");
    kit.course = {folder.path / "project", folder.path / "copies", &hand_made::exercises()};
    hand_made::fs::create_directories(folder.path / "project" / kKits);
    hand_made::fs::copy(
        hand_made::fs::path(COURSE_SOURCE_DIR) / kKits, folder.path / "project" / kKits,
        hand_made::fs::copy_options::recursive | hand_made::fs::copy_options::overwrite_existing);
    kit.service = "gradescope";
    kit.exercises = {{"05_transpose/1_tile", 40}, {"05_transpose/2_pad", 60}};
    kit.seed = 7;
  }
};

} // namespace

TEST_CASE("a kit has the grader and the skeletons, and no solution") {
  const Project one;
  const auto to = one.kit.course.project / "kit"; // as in a clone
  CHECK(write_kit(to, one.kit).empty());
  CHECK(system::content_of(to / "course/labs/05_transpose/2_pad.cu") == "as shipped");
  for (const char* name : {"solutions", "build", ".git", ".course", "attacks", "kit", "handed_in",
                           "results", "book/traces/solutions_05.json"})
    CHECK_FALSE(hand_made::fs::exists(to / "course" / name));
  const auto data = system::content_of(to / "course/labs/05_transpose/2_pad.toml").value_or("");
  CHECK(data.find("two") != data.npos);
  CHECK(data.find("the answer") == data.npos);
  CHECK(system::content_of(to / "class.toml")->find("05_transpose/2_pad") != std::string::npos);
}

TEST_CASE("a kit reports in the language of who made it") {
  const Project one;
  REQUIRE_MESSAGE(language::speak("zh_CN"), "no catalogue: is the package gettext installed?");
  write_kit(one.folder.path / "chinese", one.kit);
  language::speak("");
  write_kit(one.folder.path / "english", one.kit);
  const auto language = [&](const char* kit) {
    const auto text = system::content_of(one.folder.path / kit / "class.toml").value_or("");
    return std::get<Settings>(read_settings(text, "class.toml", hand_made::exercises())).language;
  };
  CHECK(language("chinese") == "zh_CN");
  CHECK(language("english").empty());
}

TEST_CASE("Gradescope's entry script grades what is in its folders") {
  const Project one;
  const auto base = one.folder.path / "autograder";
  write_kit(base / "source", one.kit);
  CHECK(std::system(("AUTOGRADER='" + base.string() + "' '" +
                     (base / "source/run_autograder").string() + "'")
                        .c_str()) == 0);
  CHECK(system::content_of(base / "source/course/called") ==
        "autograde\n" + (base / "submission").string() + "\n--settings\n" +
            (base / "source/class.toml").string() + "\n--metadata\n" +
            (base / "submission_metadata.json").string() + "\n--gradescope\n" +
            (base / "results/results.json").string() + "\n");
}

TEST_CASE("Gradescope's set-up builds the grader, and fetches no compiler where there is one") {
  const Project one;
  const auto base = one.folder.path / "autograder";
  write_kit(base / "source", one.kit);
  for (const char* name : {"apt-get", "nvcc", "wget", "dpkg"}) {
    const auto program = one.folder.write(
        std::string("bin/") + name, "#!/bin/sh\necho \"$(basename \"$0\") $*\" >> \"$LOG\"\n");
    hand_made::fs::permissions(program, hand_made::fs::perms::owner_all);
  }
  const auto log = one.folder.path / "log";
  CHECK(std::system(("LOG='" + log.string() + "' AUTOGRADER='" + base.string() + "' PATH='" +
                     (one.folder.path / "bin").string() + "':$PATH '" +
                     (base / "source/setup.sh").string() + "'")
                        .c_str()) == 0);
  CHECK(system::content_of(log) == "apt-get update -qq\n");
  CHECK(system::content_of(base / "source/course/called") == "autograde\n--help\n");
}

TEST_CASE("there is a kit for each service, with what to do, and nothing is left to fill in") {
  Project one;
  const auto all = services(one.kit.course.project);
  CHECK(all == std::vector<std::string>{"autolab", "classroom50", "gradescope", "moodle_vpl",
                                        "prairielearn", "submitty"});
  for (const auto& service : all) {
    CAPTURE(service);
    one.kit.service = service;
    const auto to = one.folder.path / service;
    write_kit(to, one.kit);
    CHECK(system::content_of(to / "README.md")->size() > 300);
    for (const auto& entry : hand_made::fs::recursive_directory_iterator(to)) {
      if (!entry.is_regular_file() || entry.path().string().find("/course/") != std::string::npos)
        continue;
      for (const char* name : {"@FILES@", "@POINTS@", "@UUID@", "@IMAGE@", "@TITLE@", "@PROBLEMS@"})
        CHECK(system::content_of(entry)->find(name) == std::string::npos);
    }
  }
}

TEST_CASE("Classroom 50's script is there for that service alone") {
  Project one;
  one.kit.service = "classroom50";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  CHECK(system::content_of(to / "autograder.py")->find("--classroom50") != std::string::npos);
  CHECK_FALSE(hand_made::fs::exists(to / "run_autograder"));
}

// Runs a script of a kit; what the grader was called with.
std::string called_by(const Project& one, const hand_made::fs::path& kit,
                      const std::string& command) {
  const auto program = (kit / "course/course").string();
  const auto given = "export COURSE='" + program + "' SETTINGS=/opt/class.toml GRADE='" +
                     one.folder.path.string() + "'; ";
  REQUIRE(std::system(("cd '" + kit.string() + "'; " + given + command + " >/dev/null").c_str()) ==
          0);
  return system::content_of(kit / "course/called").value_or("");
}

TEST_CASE("PrairieLearn's question names the files, and its entry point grades what is in /grade") {
  Project one;
  one.kit.service = "prairielearn";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  const auto info = nlohmann::json::parse(*system::content_of(to / "question/info.json"));
  CHECK(info["uuid"].get<std::string>().size() == 36);
  CHECK(info["externalGradingOptions"]["entrypoint"] == "/opt/grade.sh");
  CHECK(system::content_of(to / "question/question.html")
            ->find("file-names=\"1_tile.cu, 2_pad.cu\"") != std::string::npos);
  const auto grade = one.folder.path.string();
  CHECK(called_by(one, to, "./grade.sh") == "autograde\n" + grade +
                                                "/student\n--settings\n/opt/class.toml\n"
                                                "--prairielearn\n" +
                                                grade + "/results/results.json\n");
}

TEST_CASE("Autolab's makefile grades what was handed in") {
  Project one;
  one.kit.service = "autolab";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  one.folder.write("kit/2_pad.cu", "handed in");
  const auto make = "make -s -f autograde-Makefile COURSE=\"$COURSE\" SETTINGS=$SETTINGS";
  CHECK(called_by(one, to, make) ==
        "autograde\n2_pad.cu\n--settings\n/opt/class.toml\n--autolab\n");
  CHECK(system::content_of(to / "README.md")->find("`05_transpose/2_pad`, 60 points") !=
        std::string::npos);
}

TEST_CASE("Moodle's script writes the program that the jail runs") {
  Project one;
  one.kit.service = "moodle_vpl";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  CHECK(called_by(one, to, "./vpl_evaluate.sh && ./vpl_execution") ==
        "autograde\n.\n--settings\n/opt/class.toml\n--vpl\n");
}

TEST_CASE(
    "Submitty's configuration asks for all points, and its validator tells the share of them") {
  Project one;
  one.kit.service = "submitty";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  const auto config = nlohmann::json::parse(*system::content_of(to / "config/config.json"), nullptr,
                                            true, true); // Submitty takes comments
  const auto& test = config["testcases"].at(0);
  CHECK(test["points"] == 100);
  CHECK(config["grading_parameters"]["AUTO_POINTS"] == 100);
  CHECK(config["container_options"]["container_image"] == "shared-memory-course");
  const auto& validation = test["validation"].at(0);
  CHECK(validation["method"] == "custom_validator");
  const auto answer = [&](const std::string& graded) {
    const auto folder = to / "config/custom_validation_code";
    const auto file = validation["actual_file"].get<std::string>();
    if (graded.empty())
      hand_made::fs::remove(folder / file);
    else
      one.folder.write("kit/config/custom_validation_code/" + file, graded);
    const auto command = validation["command"].get<std::string>();
    REQUIRE(std::system(("cd '" + folder.string() + "' && " + command + " > answer").c_str()) == 0);
    return nlohmann::json::parse(*system::content_of(folder / "answer"));
  };
  const auto half = answer(R"({"gradable": true, "score": 0.4, "message": "late",
      "tests": [{"name": "05_transpose/1_tile", "points": 40.0, "max_points": 40, "message": "passed"},
                {"name": "05_transpose/2_pad", "points": 0, "max_points": 60, "message": "not handed in"}]})");
  CHECK(half["score"] == 0.4);
  CHECK(half["status"] == "failure");
  CHECK(half["message"] == "05_transpose/1_tile: 40 of 40. passed\n"
                           "05_transpose/2_pad: 0 of 60. not handed in\nlate");
  CHECK(answer(R"({"score": 1.0, "message": "", "tests": []})")["status"] == "success");
  CHECK(answer("")["score"] == 0);
}

TEST_CASE("a folder that has something in it is left alone") {
  const Project one;
  one.folder.write("kit/mine", "x");
  CHECK_THROWS_AS(write_kit(one.folder.path / "kit", one.kit), std::filesystem::filesystem_error);
  CHECK(system::content_of(one.folder.path / "kit/mine") == "x");
}

} // namespace course::classroom
