// Where the lanes of a request point.
#pragma once

#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/lanes.hpp"

#include <bit>

namespace course::emulator {

[[gnu::always_inline]] inline void point(const Warp& warp, const MemoryOperand& access,
                                         LaneOffsets& at) {
  if (!access.has_base) {
    for (u32& offset : at.of) offset = static_cast<u32>(access.offset);
  } else if (access.wide_base) {
    // Beyond 32 bits is beyond any such memory, but for what lies just below its start.
    constexpr u32 kBeyond = 0xc0000000;
    const u64* base = lanes_at<const u64>(warp.frame, access.base);
    for (int i = 0; i < kLanes; ++i) {
      const u64 address = base[i] + static_cast<u64>(access.offset);
      const bool near = address >> 32 == 0 || address >= 0u - (u64{1} << 30);
      at.of[i] = near ? static_cast<u32>(address) : kBeyond;
    }
  } else {
    const u32* base = lanes_at<const u32>(warp.frame, access.base);
    for (int i = 0; i < kLanes; ++i) at.of[i] = base[i] + static_cast<u32>(access.offset);
  }
}

[[gnu::always_inline]] inline void point(const Warp& warp, const MemoryOperand& access,
                                         LaneAddresses& at) {
  if (!access.has_base) {
    for (u64& address : at.of) address = static_cast<u64>(access.offset);
  } else if (access.wide_base) {
    const u64* base = lanes_at<const u64>(warp.frame, access.base);
    for (int i = 0; i < kLanes; ++i) at.of[i] = base[i] + static_cast<u64>(access.offset);
  } else {
    const u32* base = lanes_at<const u32>(warp.frame, access.base);
    for (int i = 0; i < kLanes; ++i) at.of[i] = base[i] + static_cast<u64>(access.offset);
  }
}

// An address in the cluster's shared memory: a variable is the block's own.
inline void point_in_cluster(const Warp& warp, const MemoryOperand& access, LaneOffsets& at) {
  point(warp, access, at);
  if (access.has_base) return;
  for (u32& offset : at.of) offset |= warp.block->rank_bits;
}

// Lanes that take no part point where the first that does points.
template <typename Lanes>
[[gnu::always_inline]] inline void settle(Lanes& at, u32 mask) {
  const auto first = at.of[std::countr_zero(mask)];
  for (int i = 0; i < kLanes; ++i) at.of[i] = mask & kLaneBit[i] ? at.of[i] : first;
}

[[gnu::always_inline]] inline bool all_inside(const LaneOffsets& at, u32 begin, u32 size,
                                              u32 width) {
  if (size < width) return false;
  const u32 room = size - width;
  u32 outside = 0;
  for (int i = 0; i < kLanes; ++i)
    outside |= (at.of[i] - begin > room ? 1 : 0) | (at.of[i] & (width - 1));
  return outside == 0;
}

[[gnu::always_inline]] inline bool all_inside(const LaneOffsets& at, const Array& array,
                                              u32 width) {
  return all_inside(at, array.begin, array.size, width);
}

[[gnu::always_inline]] inline bool all_inside(const LaneAddresses& at, const Allocation& memory,
                                              u64 width) {
  if (memory.size < width || memory.freed) return false;
  const u64 base = memory.base, room = memory.size - width;
  u64 outside = 0;
  for (int i = 0; i < kLanes; ++i)
    outside |= (at.of[i] - base > room ? 1 : 0) | (at.of[i] & (width - 1));
  return outside == 0;
}

// Whether lane i is at the first lane's place + i * width.
template <typename Lanes>
[[gnu::always_inline]] inline bool neighbours(const Lanes& at, u32 width) {
  auto apart = at.of[0] ^ at.of[0];
  for (int i = 0; i < kLanes; ++i)
    apart |= at.of[i] ^ (at.of[0] + static_cast<decltype(apart)>(i) * width);
  return apart == 0;
}

// An address of the block's own shared memory to its offset. Out of line: only clusters need it,
// and every access of every kind would have a copy.
[[gnu::noinline, gnu::cold]] inline void take_rank_off(LaneOffsets& at, u32 rank_bits) {
  for (int i = 0; i < kLanes; ++i) at.of[i] ^= (at.of[i] & kRankBits) == rank_bits ? rank_bits : 0;
}

} // namespace course::emulator
