// What matters most of a program's launches, before their tables.
#pragma once

#include "report/launches/launches.hpp"

#include <string>
#include <vector>

namespace course::report {

// At most four sentences: on conflicts in shared memory, on extra wavefronts of asynchronous
// copies, on sectors of global memory that no full warp would need, and on what was found wrong.
// One when there is nothing of it; none without accesses.
std::vector<std::string> summary_of(const LaunchReport&);

// What has to be known before any number is read: that the run was stopped, that only a sample was
// executed, that nothing was checked. None of a run that is whole.
std::vector<std::string> caveats_of(const LaunchReport&);

// Conflicts of banks: none of asynchronous copies, whose extra wavefronts come of where they read
// from as well, and which no counter of bank conflicts sees.
std::uint64_t bank_conflicts(const device::LineCounts&);

// Sectors that a warp needs whose lanes are side by side: 32 lanes of the access's width in bytes,
// in sectors of 32. 0 for atomics and what is not of global memory.
std::uint64_t sectors_needed(const model::RequestType&);
// Those of a row beyond what its requests need; 0 where that is not known.
std::uint64_t sectors_wasted(const device::LineCounts&);

} // namespace course::report
