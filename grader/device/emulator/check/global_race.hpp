// What an access to global memory leaves behind for the checks of a launch.
#pragma once

#include "device/emulator/decode/access.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/warp.hpp"

namespace course::emulator {

// Before an access by `mask`, in bounds and aligned, in a block with checks.
void note_global(Warp&, const Access&, std::uint32_t mask, Allocation&, const LaneAddresses&);
// After such an access to shared memory, if it is strong.
void synchronise_shared(Warp&, const Access&, std::uint32_t mask, const LaneOffsets&);

} // namespace course::emulator
