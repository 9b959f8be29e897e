// Whether an exercise's lesson saves time on an H200. Students read the measured times in their
// verdict: where they argue against what is taught, the exercise has to say so itself. What leaves
// the subject out (the check `uses`) is another kernel, and is not compared.
#pragma once

#include "lab/times.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

// Times the solution's time, from book/data/h200/exercise_times.csv: at most so much, as both were
// measured, the upper quartile of the one by the lower quartile of the other.
struct Pays {
  std::optional<double> skeleton; // as it is given out, where its fault is one that costs time
  double fastest_wrong = 0;       // of what fails a check; 0: none was timed
  std::string fastest_file;       // which one

  // Unless it is plain from the measurement that the skeleton takes less than 1.1 times as long, or
  // that something which fails a check is more than 2 % faster.
  bool holds() const;
};

// Nothing where the solution was not timed.
std::optional<Pays> pays(const std::vector<TimedFile>& of_an_exercise);

} // namespace course::lab
