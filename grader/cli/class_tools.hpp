// What `course class`, its single tests and `course autograde` share: settings and how to grade.
#pragma once

#include "classroom/grade_submission.hpp"
#include "classroom/settings.hpp"
#include "lab/tools.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace course::cli {

// class.toml at `file`; the usual settings when `file` is empty. A message when it cannot be used.
std::variant<classroom::Settings, std::string>
read_class_settings(const std::filesystem::path& root, const std::string& file);

std::uint64_t fresh_class_seed();

struct ClassGrading {
  std::filesystem::path results; // what was graded is known by what is below it
  std::filesystem::path root;
  std::uint64_t seed = 0;
  unsigned threads = 1; // of the emulated device
  bool on_gpu = false;  // with the GPU that CUDA sees first, beside the emulated device
  std::string place;    // this machine and GPU
  bool shared = false;  // `place` is a GPU that others of this class are measured on as well
};

// Throws std::runtime_error when there is no GPU to grade with.
classroom::Grading class_grading(const ClassGrading&, const lab::Workplace&);

} // namespace course::cli
