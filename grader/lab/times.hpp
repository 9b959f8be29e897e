// What an H200 took for the solutions and for variants of them, and what it needs at least for what
// was counted here: all that can be said of time without a GPU.
#pragma once

#include "device/model/known_gpus.hpp"
#include "judge/execution.hpp"
#include "judge/facts.hpp"
#include "judge/verdict.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::lab {

// A row of book/data/h200/exercise_times.csv: a file of the course, timed with the shape that its
// exercise is timed with.
struct TimedFile {
  std::string exercise, kind; // "solution", "skeleton", "wrong"
  std::string fails;          // checks, with spaces between: "conflicts traffic"
  double seconds = 0;         // the median
  double low = 0, high = 0;   // seconds, quartiles
  std::string file{};         // from the project's root
};

// Those of an exercise on this GPU; none where its table is missing, or cannot be read.
std::vector<TimedFile> timed_files(const std::filesystem::path& root, const std::string& exercise,
                                   const model::Gpu&);

// Of those that fail, only such as fail what `failed` names, or where that is empty the two kinds
// that took longest. `executions`: complete and right, the largest of which is made as large as the
// timed shape, by the growth of what a solution costs. No least time where its inputs take
// different work.
std::optional<judge::facts::Untimed> untimed(const Exercise&, const std::vector<TimedFile>&,
                                             const std::vector<std::string>& failed,
                                             judge::Executions executions, const model::Gpu&);

} // namespace course::lab
