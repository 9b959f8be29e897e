// Exercises as data: labs/NN_name/K_step.toml beside each skeleton, and lab.toml for what the
// exercises of a lab have in common. README.md here says what may stand in them.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <stdexcept>
#include <vector>

namespace course::lab {

// A file of the course that cannot be used: which, where in it, why, in a sentence. What is wrong
// with a drawn shape, or a timed one, is seen when it is made.
struct CourseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `file` in NN_name/ of the folder labs/, beside which there is solutions/. Throws CourseError.
Exercise read_exercise(const std::filesystem::path& file);

// A package installs a course to be copied, and keeps its solutions out of sight. From now on, an
// exercise of a course without solutions/, whose data are those of the one installed, is solved in
// the folder solutions/ of `answers`. Call it before exercises are read.
void solve_copies(std::filesystem::path course, std::filesystem::path answers);

// Those of all labs below `labs`, in the order of their numbers. Throws CourseError.
std::vector<Exercise> read_exercises(const std::filesystem::path& labs);

} // namespace course::lab
