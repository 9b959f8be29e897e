#include "classroom/kit.hpp"

#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

namespace course::classroom {
namespace {

// A project whose program writes down how it was called.
struct Project {
  staged::Folder folder;
  Kit kit;
  Project() {
    const auto program = folder.write(
        "project/course", "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$(dirname \"$0\")/called\"\n");
    staged::fs::permissions(program, staged::fs::perms::owner_all);
    folder.write("project/labs/05_transpose/2_pad.cu", "edited");
    folder.write("project/solutions/05_transpose/2_pad.cu", "the answer");
    folder.write("project/build/release/big", "x");
    folder.write("project/grader/trust/controls/05_transpose/2_pad_other.cu", "an answer");
    folder.write("project/.git/config", "x");
    folder.write("project/.course/progress.jsonl", "its owner's");
    folder.write("copies/labs/05_transpose/2_pad.cu", "as shipped");
    kit.project = folder.path / "project";
    kit.skeletons = folder.path / "copies";
    kit.exercises = {"05_transpose/2_pad"};
    kit.seed = 7;
  }
};

} // namespace

TEST_CASE("a kit has the grader and the skeletons, and no solution") {
  const Project one;
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  CHECK(system::content_of(to / "course/labs/05_transpose/2_pad.cu") == "as shipped");
  for (const char* name : {"solutions", "build", ".git", ".course", "grader/trust/controls"})
    CHECK_FALSE(staged::fs::exists(to / "course" / name));
  CHECK(system::content_of(to / "class.toml")->find("05_transpose/2_pad") != std::string::npos);
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
    staged::fs::permissions(program, staged::fs::perms::owner_all);
  }
  const auto log = one.folder.path / "log";
  CHECK(std::system(("LOG='" + log.string() + "' AUTOGRADER='" + base.string() + "' PATH='" +
                     (one.folder.path / "bin").string() + "':$PATH '" +
                     (base / "source/setup.sh").string() + "'")
                        .c_str()) == 0);
  CHECK(system::content_of(log) == "apt-get update -qq\n");
  CHECK(system::content_of(base / "source/course/called") == "autograde\n--help\n");
}

TEST_CASE("Classroom 50's script is there for the other service") {
  Project one;
  one.kit.service = Service::classroom50;
  const auto to = one.folder.path / "kit";
  write_kit(to, one.kit);
  CHECK(system::content_of(to / "autograder.py")->find("--classroom50") != std::string::npos);
  CHECK_FALSE(staged::fs::exists(to / "run_autograder"));
}

TEST_CASE("a folder that has something in it is left alone") {
  const Project one;
  one.folder.write("kit/mine", "x");
  CHECK_THROWS_AS(write_kit(one.folder.path / "kit", one.kit), std::filesystem::filesystem_error);
  CHECK(system::content_of(one.folder.path / "kit/mine") == "x");
}

} // namespace course::classroom
