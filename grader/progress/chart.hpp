// The runs of one exercise, oldest first, as a small chart.
#pragma once

#include "progress/event.hpp"
#include "report/text.hpp"

#include <string>
#include <vector>

namespace course::progress {

// A line for each run: when, points, and what a request cost: conflicts of shared memory, sectors
// of global memory, and, where a GPU measured it, the time as a multiple of the solution's. A bar
// is as long as its number is large beside the largest of its column. `most` runs are shown, the
// last ones.
std::string chart(const std::vector<Event>&, const std::string& exercise, const report::Terminal&,
                  std::size_t most = 15);

} // namespace course::progress
