// An exercise executed to be looked at: `course trace` and `course profile`.
#pragma once

#include "lab/grade.hpp"

#include <optional>

namespace course::lab {

// An execution that can be done again, to see more of it.
struct Look {
  judge::Verdict verdict;         // why there is no job, where there is none
  std::optional<device::Job> job; // of the execution with the most instructions
  device::Observation seen;       // of that one
};

// Grades, without a GPU, and keeps the largest execution. Throws what `grade` throws.
Look look(const Exercise&, const Submission&, const Tools&);

// The request that says most about a line: of its accesses the one with the most conflicts, or else
// sectors or replays. Line 0 is every line of the file. nullptr when the execution has no request
// there.
const device::LineCounts* telling_access(const device::Observation&, const std::string& file,
                                         std::uint32_t line);

} // namespace course::lab
