// What matters most of a program's launches, before their tables.
#pragma once

#include "report/launches/launches.hpp"

#include <string>
#include <vector>

namespace course::report {

// At most three sentences: on conflicts in shared memory, on sectors of global memory that no full
// warp would need, and on what was found wrong. One when there is nothing of it; none without
// accesses.
std::vector<std::string> summary_of(const LaunchReport&);

} // namespace course::report
