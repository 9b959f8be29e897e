#include "classroom/kit.hpp"

#include "system/published_file.hpp"

#include <fmt/format.h>

#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetUp = R"(#!/bin/sh
# Gradescope runs this once, when it builds the image: the CUDA compiler, then the grader.
set -eu
base=${AUTOGRADER:-/autograder}
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  . /etc/os-release
  apt-get install -qq -y --no-install-recommends ca-certificates wget
  list=https://developer.download.nvidia.com/compute/cuda/repos/$ID$(echo "$VERSION_ID" | tr -d .)
  wget -qO /tmp/keyring.deb "$list/x86_64/cuda-keyring_1.1-1_all.deb"
  dpkg -i /tmp/keyring.deb
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0
fi
"$base/source/course/course" autograde --help >/dev/null
)";

constexpr const char* kRunAutograder = R"(#!/bin/sh
# Gradescope runs this for each submission.
set -eu
base=${AUTOGRADER:-/autograder}
exec "$base/source/course/course" autograde "$base/submission" \
  --settings "$base/source/class.toml" --metadata "$base/submission_metadata.json" \
  --gradescope "$base/results/results.json"
)";

constexpr const char* kAutograder = R"(#!/usr/bin/env python3
"""Grades a checkout for Classroom 50: writes result.json to the working folder."""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
ran = subprocess.run([here / "course" / "course", "autograde", ".", "--settings",
                      here / "class.toml", "--classroom50", "result.json"])
sys.exit(ran.returncode)
)";

void write_program(const fs::path& file, const char* text) {
  system::publish(file, text);
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

void copy_project(const Kit& kit, const fs::path& to) {
  static const std::set<std::string> kLeftOut{"build", "solutions", "Testing"};
  const bool has_skeletons = fs::is_directory(kit.skeletons / "labs");
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(kit.project)) {
    const auto name = entry.path().filename().string();
    const bool hidden = name.starts_with("."); // version control, and what its owner has solved
    if (hidden || kLeftOut.count(name) || (name == "labs" && has_skeletons)) continue;
    fs::copy(entry.path(), to / name,
             fs::copy_options::recursive | fs::copy_options::skip_symlinks);
  }
  for (const char* answers : {"controls", "attacks"}) // honest files that pass, and tricks
    fs::remove_all(to / "grader" / "trust" / answers);
  if (!has_skeletons) return;
  fs::copy(kit.skeletons / "labs", to / "labs", fs::copy_options::recursive);
  for (const auto& lab : fs::directory_iterator(kit.project / "labs")) {
    if (!lab.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(lab)) // what the exercises are
      if (file.path().extension() == ".toml")
        fs::copy(file, to / "labs" / lab.path().filename(), fs::copy_options::overwrite_existing);
  }
}

std::string settings_of(const Kit& kit) {
  std::string text = "# What counts, and when: INSTRUCTORS.md has every key.\n";
  text += fmt::format("seed = {} # of the hidden inputs\n", kit.seed);
  text += "feedback_at_once = true # false: when grades are published\n";
  if (!kit.exercises.empty()) {
    text += "exercises = [";
    for (const auto& id : kit.exercises) text += fmt::format("\"{}\", ", id);
    text.replace(text.size() - 2, 2, "]\n");
  }
  return text;
}

} // namespace

void write_kit(const fs::path& folder, const Kit& kit) {
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw fs::filesystem_error("cannot write", folder,
                               std::make_error_code(std::errc::directory_not_empty));
  copy_project(kit, folder / "course");
  system::publish(folder / "class.toml", settings_of(kit));
  if (kit.service == Service::gradescope) {
    write_program(folder / "setup.sh", kSetUp);
    write_program(folder / "run_autograder", kRunAutograder);
  } else {
    write_program(folder / "autograder.py", kAutograder);
  }
}

} // namespace course::classroom
