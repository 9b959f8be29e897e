// What the memory checker found, by its kind.
#pragma once

#include "device/device.hpp"

#include <string>

namespace course::report {

// "uninitialised": of a list
std::string kind_word(device::FindingKind);

// "read before it is written"
std::string what_happened(const device::Finding&);

} // namespace course::report
