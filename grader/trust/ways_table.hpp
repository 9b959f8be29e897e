// Ways: the honest ways to do each exercise, which the controls are, and whether each passes.
#pragma once

#include "trust/suite.hpp"

#include <string>
#include <vector>

namespace course::trust {

// A Markdown table: a row for each exercise that has controls, by name, with how many of them
// passed, the idea of each, and after an idea that did not pass its verdict. A last line counts
// them all. Results are of these cases, in any order; attacks are left out.
std::string table_of_ways(const std::vector<Case>&, const std::vector<Result>&);

} // namespace course::trust
