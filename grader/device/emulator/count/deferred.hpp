// Requests of a warp that are counted later than they are executed, because the GPU does them later
// or in other company (arrangement.hpp).
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/state/deferred_requests.hpp"

#include <cstdint>

namespace course::emulator {

struct MemoryOperand;
struct AccessCounter;
struct LaneAddresses;
struct LaneOffsets;

// Keeps a request of such an access.
void defer(AccessCounter&, const MemoryOperand&, Warp&, std::uint32_t active, const LaneOffsets&);
void defer(AccessCounter&, const MemoryOperand&, Warp&, std::uint32_t active, const LaneAddresses&);

} // namespace course::emulator
