// Loads and stores, by memory space and size of an element.
#pragma once

#include "device/emulator/decode/access.hpp"
#include "device/emulator/decode/operation.hpp"

namespace course::emulator {

// The function that does `access`, which is no atomic; nullptr when there is none.
Execute memory_operation(const Access&);
// Before a strong load from the address in slot 0, which may be waiting for somebody.
void look_at_flag(Warp&, const Operation&, std::uint32_t mask);
// The function that does an atomic, in shared, global or generic space.
Execute atomic_operation(const Access&);

} // namespace course::emulator
