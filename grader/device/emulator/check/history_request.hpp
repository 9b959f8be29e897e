// A request as Histories look at it.
#pragma once

#include "device/emulator/check/history.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/warp.hpp"

namespace course::emulator {

struct Histories::Request {
  Warp& warp;
  const MemoryOperand& access;
  const Allocation& memory;
  const LaneAddresses& at;
  u32 lanes; // that are at the word

  const Block& block() const { return *warp.block; }
  // What a lane stores, in 64 bits that differ where the values do.
  u64 stored(u32 lane) const;
};

// Whether an access of one lane of another request happened before a lane's.
bool happened_before(const Warp&, u32 lane, u64 block, Record record);

} // namespace course::emulator
