// The checks of a grading, made of what its stages found.
#pragma once

#include "lab/evidence.hpp"

#include <vector>

namespace course::lab {

// Those of an exercise, after those of what comes before anything is graded.
std::vector<judge::Check> judged(const Grading&, const Evidence&);

// Checks that failed, and that the exercise shows and does not grade.
std::vector<judge::Check> mentioned(const Grading&, const Evidence&);

} // namespace course::lab
