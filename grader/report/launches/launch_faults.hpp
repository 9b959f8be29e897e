// What a program's launches did wrong or wastefully, by line: what SARIF shows to editors.
#pragma once

#include "report/faults.hpp"
#include "report/launches/launches.hpp"

#include <string>
#include <vector>

namespace course::report {

// Findings are serious, but for notes; lines with bank conflicts, or with sectors that no full warp
// would need, are not. What has no line, such as a race of copies, is the program's, at line 0.
// Paths below `folder` are relative to it.
std::vector<Fault> launch_faults(const LaunchReport&, const std::string& folder);

} // namespace course::report
