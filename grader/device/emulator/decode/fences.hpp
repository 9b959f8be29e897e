// What a fence's operation says of it besides its scope (decode_waits.cpp).
#pragma once

#include <cstdint>

namespace course::emulator {

// Of all such there is one order: membar and fence.sc. A fence.acq_rel orders what is on either
// side of it for who synchronises, and a load behind it may still come before a store.
inline constexpr std::uint32_t kInOneOrder = 1u << 8;

} // namespace course::emulator
