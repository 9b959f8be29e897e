// Which lines called the function that a finding is in.
#pragma once

#include "device/device.hpp"

#include <string>

namespace course::report {

// " Called from line 33.", " Called from line 20, and there from line 33."; empty where the line is
// the kernel's own.
std::string called_from(const device::Finding&);

} // namespace course::report
