// What loads, stores and atomics share: whether the lanes of a request may go where they point.
#pragma once

#include "device/emulator/check/checker.hpp"
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"

namespace course::emulator {

// The slow ways, for a request that is not wholly inside what the last one hit: report what is
// wrong, and return the lanes that may go on. Those that may not are poisoned when they load.
u32 keep_valid(Warp&, const MemoryOperand&, u32 mask, const LaneOffsets&, const Layout&);
u32 keep_valid(Warp&, const MemoryOperand&, u32 mask, const LaneAddresses&);
void poison(Warp&, const MemoryOperand&, u32 lanes);
// Whether it would change memory that kernels may only read, which is reported.
bool is_refused(Warp&, const MemoryOperand&, u32 lane, const Allocation&, u64 address);

// Checks offsets against a layout, and remembers in which array they were. Returns the lanes that
// may go on; the others, and those that take no part, then point where the first of them does.
[[gnu::always_inline]] inline u32 check(Warp& warp, const MemoryOperand& access, u32 mask,
                                        LaneOffsets& at, const Layout& layout,
                                        AccessCounter& counter) {
  if (warp.block->rank_bits) [[unlikely]]
    take_rank_off(at, warp.block->rank_bits);
  if (mask != kAllLanes) settle(at, mask);
  const u32 width = access.width();
  const auto& arrays = layout.arrays();
  if (counter.array < arrays.size() && all_inside(at, arrays[counter.array], width)) [[likely]]
    return mask;
  counter.array = layout.array_at(at.of[0]);
  if (counter.array < arrays.size() && all_inside(at, arrays[counter.array], width)) return mask;
  const u32 valid = keep_valid(warp, access, mask, at, layout);
  if (valid) settle(at, valid);
  return valid;
}

} // namespace course::emulator
