// The course on one screen, and as a list: what is solved, what is not yet, what is next.
#pragma once

#include "progress/standing.hpp"
#include "report/text.hpp"

#include <string>
#include <vector>

namespace course::progress {

// For someone who may never have seen it: at most 23 lines at 80 columns, and no line wider than
// the terminal.
std::string overview(const std::vector<Standing>&, const report::Terminal&);

// A line for each exercise: id, points, whether it waits to be graded, title, hints read. `only` is
// a lab's id or its start; empty for all of them.
std::string list(const std::vector<Standing>&, const std::string& only, const report::Terminal&);

// What to do next, and how; when all is solved, that.
std::string next_step(const Standing* next, const report::Terminal&);

} // namespace course::progress
