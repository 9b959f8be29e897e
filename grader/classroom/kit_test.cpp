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
    folder.write("project/book/widgets/lane.js", "drawn");
    folder.write("project/book/data/h200/planes.csv", "quoted");
    folder.write("project/chapters/05_transpose.md", "read");
    folder.write("project/chapters/zh/labs/05_transpose.toml", "said");
    folder.write("project/grader/device/model/data/patterns.csv", "tested");
    folder.write("project/attacks/odd/other.cu", "an answer");
    folder.write("project/.git/config", "x");
    folder.write("project/.course/progress.jsonl", "its owner's");
    folder.write("copies/labs/05_transpose/2_pad.cu", "as shipped");
    kit.grader = folder.path / "project";
    kit.course = {kit.grader, folder.path / "copies", &hand_made::exercises()};
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

TEST_CASE("a kit has nothing that no grading reads") {
  const Project one;
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  for (const char* name : {"book/widgets/lane.js", "chapters/05_transpose.md",
                           "grader/device/model/data/patterns.csv"})
    CHECK_FALSE(hand_made::fs::exists(to / "course" / name));
  for (const char* name : {"book/data/h200/planes.csv", "chapters/zh/labs/05_transpose.toml"})
    CHECK(hand_made::fs::exists(to / "course" / name));
}

TEST_CASE("a kit of somebody's own course has its labs alone, and this course's grader") {
  Project one;
  one.folder.write("own/labs/12_mine/1_first.cu", "edited");
  one.folder.write("own/solutions/12_mine/1_first.cu", "the answer");
  one.folder.write("own/grader/evil.cpp", "not this course's");
  one.folder.write("copies/labs/12_mine/1_first.cu", "mine");
  one.kit.course.project = one.folder.path / "own";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  CHECK(system::content_of(to / "course/labs/12_mine/1_first.cu") == "mine");
  CHECK(hand_made::fs::exists(to / "course/course"));
  for (const char* name : {"labs/05_transpose", "solutions", "grader/evil.cpp"})
    CHECK_FALSE(hand_made::fs::exists(to / "course" / name));
}

// A kit with the class's settings; what its own say.
Settings settings_in(Project& one, const std::string& text) {
  const auto read = [](const std::string& settings) {
    return std::get<Settings>(read_settings(settings, "class.toml", hand_made::exercises()));
  };
  one.kit.settings = {text, read(text)};
  write_kit(one.folder.path / "kit", one.kit);
  return read(system::content_of(one.folder.path / "kit/class.toml").value_or(""));
}

TEST_CASE("a kit has the settings of the class, its seed among them") {
  Project one;
  const auto said = settings_in(one, "seed = 41\ntotal = 20\n"
                                     "[labs.05_transpose]\ndue = 2026-10-16T23:59:00Z\n");
  CHECK(said.seed == 41);
  CHECK(said.total == 20);
  CHECK(said.labs.at("05_transpose").due);
  CHECK(said.exercises.size() == 2);
}

TEST_CASE("a class without a seed gets one in its kit, and keeps the exercises that it asks for") {
  Project one;
  const auto said = settings_in(one, "exercises = [\"05_transpose/2_pad\"]\n");
  CHECK(said.seed == 7);
  CHECK(said.exercises == std::vector<std::string>{"05_transpose/2_pad"});
}

TEST_CASE("no image that is pushed to a registry has the seed") {
  Project one;
  for (const auto& service : {"prairielearn", "submitty", "autolab"}) {
    CAPTURE(service);
    one.kit.service = service;
    const auto to = one.folder.path / service;
    write_kit(to, one.kit);
    const auto image = system::content_of(to / "Dockerfile").value_or("");
    CHECK(image.find("COPY course ") != image.npos);
    CHECK(image.find("class.toml") == image.npos);
    CHECK(image.find("COPY . ") == image.npos);
  }
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
      for (const char* name :
           {"@FILES@", "@POINTS@", "@UUID@", "@IMAGE@", "@TITLE@", "@PROBLEMS@", "@SETTINGS@"})
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
  CHECK(system::content_of(to / "question/tests/class.toml")->find("seed = 7") !=
        std::string::npos);
  CHECK(called_by(one, to, "./grade.sh") == "autograde\n" + grade + "/student\n--settings\n" +
                                                grade + "/tests/class.toml\n--prairielearn\n" +
                                                grade + "/results/results.json\n");
}

TEST_CASE("Autolab's makefile grades what was handed in") {
  Project one;
  one.kit.service = "autolab";
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  one.folder.write("kit/2_pad.cu", "handed in");
  const auto make = "tar cf autograde.tar class.toml && rm class.toml && "
                    "make -s -f autograde-Makefile COURSE=\"$COURSE\"";
  CHECK(called_by(one, to, make) == "autograde\n2_pad.cu\n--settings\nclass.toml\n--autolab\n");
  CHECK(hand_made::fs::exists(to / "class.toml"));
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
  // Where and how Submitty runs it: grading/dispatch.cpp.
  const auto work = to / "config/custom_validation_code";
  one.folder.write("kit/config/custom_validation_code/custom_validator_input.json",
                   R"({"actual_file": "graded.json", "testcase_prefix": "test01/"})");
  const auto answer = [&](const std::string& graded) {
    const auto file = "test01/" + validation["actual_file"].get<std::string>();
    if (graded.empty())
      hand_made::fs::remove(work / file);
    else
      one.folder.write("kit/config/custom_validation_code/" + file, graded);
    const auto command = validation["command"].get<std::string>();
    REQUIRE(std::system(("cd '" + work.string() + "' && " + command + " >printed").c_str()) == 0);
    const auto told = nlohmann::json::parse(*system::content_of(work / "validation_results.json"));
    CHECK(nlohmann::json::parse(*system::content_of(work / "printed")) == told);
    return told;
  };
  const auto half = answer(R"({"gradable": true, "score": 0.4, "message": "late",
      "tests": [{"name": "05_transpose/1_tile", "points": 40.0, "max_points": 40, "message": "passed"},
                {"name": "05_transpose/2_pad", "points": 0, "max_points": 60, "message": "not handed in"}]})");
  CHECK(half["status"] == "success"); // of the validator
  CHECK(half["data"]["score"] == 0.4);
  CHECK(half["data"]["status"] == "failure");
  CHECK(half["data"]["message"] == "05_transpose/1_tile: 40 of 40. passed\n"
                                   "05_transpose/2_pad: 0 of 60. not handed in\nlate");
  const auto all = answer(R"({"gradable": true, "score": 1.0, "message": "", "tests": []})");
  CHECK(all["data"]["status"] == "success");
  const auto none = answer(R"({"gradable": false, "score": 0, "message": "", "tests": [],
      "format_errors": ["nvcc is missing"]})");
  CHECK(none["data"]["status"] == "warning");
  CHECK(none["data"]["message"].get<std::string>().find("nvcc is missing") != std::string::npos);
  CHECK(answer("")["status"] == "failure");
}

TEST_CASE("a folder that has something in it is left alone") {
  const Project one;
  one.folder.write("kit/mine", "x");
  CHECK_THROWS_AS(write_kit(one.folder.path / "kit", one.kit), std::filesystem::filesystem_error);
  CHECK(system::content_of(one.folder.path / "kit/mine") == "x");
}

} // namespace course::classroom
