// Grades one submission, as far as that was not done before, and keeps its record.
//
// Each exercise is graded in a process of its own: whatever a student's file does to the grader,
// the other exercises go on. What the grader fails at (it crashed, took too long, or the machine or
// the GPU is not in order) is tried again elsewhere, kMostAttempts times in all. From then on it
// looks like the file's own doing: it counts as 0 points until a person decides (gradebook.hpp).
#pragma once

#include "classroom/record.hpp"
#include "classroom/submission.hpp"
#include "classroom/verdict_store.hpp"
#include "lab/exercise.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace course::classroom {

struct Grading {
  std::filesystem::path results;
  const std::vector<lab::Exercise>* exercises = nullptr;
  Circumstances circumstances;
  std::function<judge::Verdict(const lab::Exercise&, const std::filesystem::path& file)> grade;
  std::function<bool(const std::string& lab)> wanted; // other labs keep what they have
  std::string place;                                  // this machine and GPU, for failed attempts
  std::chrono::seconds limit{300}; // an exercise; twenty times what the slowest honest one takes
  bool try_given_up = false;       // forget failed attempts
  Reading how = {};                // which of two files counts; the lab is the record's
  std::string zone = {}; // of dates that say none, a zip file's say; empty: this machine's
};

struct Tally {
  int graded = 0, known = 0; // exercises; known: from the store
  int failed = 0;            // attempts just now
  int given_up = 0;
  bool complete() const { return failed == 0 && given_up == 0; }
};

// The record has to be there (plan.hpp). Throws std::filesystem::filesystem_error when results
// cannot be written, and std::runtime_error when there is no record.
Tally grade_submission(const std::string& id, const Grading&);

} // namespace course::classroom
