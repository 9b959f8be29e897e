// What the memory checker found, by its kind.
#pragma once

#include "device/device.hpp"

namespace course::report {

// "read before it is written"
const char* what_happened(device::FindingKind);

} // namespace course::report
