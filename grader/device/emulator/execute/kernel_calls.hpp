// Functions that CUDA provides to kernels: printf, assert, malloc and free.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <string>

namespace course::emulator {

inline constexpr std::size_t kMostPrinted = 1u << 20; // bytes of a job; more is cut

// By its name in the PTX ("vprintf"); nullptr for what is not provided. Slots: the areas of the
// result and of the arguments, lane after lane, 16 bytes each; `immediate` is its site.
Execute provided_function(const std::string& name);

} // namespace course::emulator
