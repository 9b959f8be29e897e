// What `course class`, its single tests and `course autograde` share: settings and how to grade.
#pragma once

#include "classroom/grade_submission.hpp"
#include "classroom/settings.hpp"
#include "lab/tools.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace course::cli {

// class.json at `file`; the usual settings when `file` is empty. A message when it cannot be used.
std::variant<classroom::Settings, std::string> read_class_settings(const std::string& file);

std::uint64_t fresh_class_seed();

// Grades with nvcc and the emulated device, on `threads` cores, and with a GPU where `on_gpu` says
// so. Files that were graded are known by what is below `results`. `place` is left to the caller.
classroom::Grading class_grading(const std::filesystem::path& results,
                                 const std::filesystem::path& root, const lab::Workplace&,
                                 std::uint64_t seed, bool on_gpu, unsigned threads);

} // namespace course::cli
