// What the memory checker found, by its kind.
#pragma once

#include "device/device.hpp"

#include <string>

namespace course::report {

// "uninitialised": of a list
std::string kind_word(device::FindingKind);

// "read before it is written"
std::string what_happened(const device::Finding&);

// "Who frees this memory, and who still needs it?"; report/questions.hpp asks more where more is
// known than the kind.
std::string what_is_asked(device::FindingKind);

} // namespace course::report
