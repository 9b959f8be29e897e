// What each stage of a grading is given, and what ends one early.
#pragma once

#include "judge/ended.hpp"
#include "lab/grade.hpp"

#include <optional>
#include <string>

namespace course::lab {

// Of one grading: no stage changes it.
struct Grading {
  const Exercise& exercise;
  const Submission& submission;
  const Tools& tools;

  std::string file() const { return submission.file.filename().string(); }
};

// Why nothing more is tried.
struct Stop {
  judge::EndedBy how;
  std::optional<std::string> compiler = {}; // nvcc's words, where that is what they are about
};

} // namespace course::lab
