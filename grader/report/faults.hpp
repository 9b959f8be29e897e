// What is wrong with an exercise, each with its line: what annotations and SARIF show.
#pragma once

#include "report/graded.hpp"

namespace course::report {

struct Fault {
  std::string exercise, path; // path: in the submission
  std::string rule;           // the check's name, or "compile"
  std::string message;
  std::uint32_t line = 0;       // 0: no one line
  std::uint32_t other_line = 0; // of the same file, that has to do with it; 0: none
  bool serious = true;          // it costs points; nvcc's warnings do not
};

// Failed checks in their order; nvcc's errors and warnings by line where there are any.
std::vector<Fault> faults(const GradedExercise&);

} // namespace course::report
