// What is to be said of counts that a GPU may have otherwise.
#pragma once

#include "device/device.hpp"

#include <string>
#include <vector>

namespace course::report {

// "a, b, c"
std::string listed(const std::vector<std::string>&);

// A note for each reason that lines of one file have: "Note: the atomics on lines 12 and 14 …".
// Whether a check is not measured for want of certain widths makes a difference to what is to do.
std::vector<std::string> notes_on_counts(const std::vector<device::LineCounts>&,
                                         bool leave_a_check_open = false);

} // namespace course::report
