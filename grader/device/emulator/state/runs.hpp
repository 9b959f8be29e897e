// Runs: lanes of a request that are neighbours and point to neighbouring places, or all to one.
// What is done for a run at once is done a lane at a time where nothing is side by side.
#pragma once

#include "device/emulator/state/lanes.hpp"

#include <bit>

namespace course::emulator {

// How all 32 lanes lie: many requests are one of the first two.
enum class Shape { same, neighbours, other };

template <typename Lanes>
[[gnu::always_inline]] inline Shape shape(const Lanes& at, u32 mask, u32 width) {
  if (mask != kAllLanes) return Shape::other;
  auto differs = at.of[0] ^ at.of[0], apart = differs;
  for (int i = 0; i < kLanes; ++i) {
    differs |= at.of[i] ^ at.of[0];
    apart |= at.of[i] ^ (at.of[0] + static_cast<decltype(apart)>(i) * width);
  }
  return !differs ? Shape::same : !apart ? Shape::neighbours : Shape::other;
}

// Each lane is compared with the next one in vectors of 32 bytes: a copy of the lanes, moved by
// one, would wait for them to be stored. (Lanes are aligned to 64.)
using Words [[gnu::vector_size(32)]] = u32;
using DoubleWords [[gnu::vector_size(32)]] = u64;

template <typename Vector, typename T>
[[gnu::always_inline]] inline u32 joined_by(const std::array<T, kLanes>& at, u32 mask, T apart) {
  constexpr int kEach = 32 / sizeof(T), kVectors = kLanes / kEach;
  const auto* lane = reinterpret_cast<const Vector*>(at.data());
  Vector bit{}, bits{};
  for (int i = 0; i < kEach; ++i) bit[i] = T{1} << i;
  for (int v = 0; v < kVectors; ++v) {
    const Vector& behind = lane[(v + 1) % kVectors]; // nobody looks at what follows lane 31
    Vector next;
    if constexpr (sizeof(T) == 4)
      next = __builtin_shufflevector(lane[v], behind, 1, 2, 3, 4, 5, 6, 7, 8);
    else
      next = __builtin_shufflevector(lane[v], behind, 1, 2, 3, 4);
    bits |= (next - lane[v] == apart) & bit << (v * kEach);
  }
  T any = 0;
  for (int i = 0; i < kEach; ++i) any |= bits[i];
  return static_cast<u32>(any) & mask & mask >> 1;
}

// Bit i: lanes i and i + 1 take part, and the second points `apart` bytes behind the first.
[[gnu::always_inline]] inline u32 joined(const LaneOffsets& at, u32 mask, u32 apart) {
  return joined_by<Words>(at.of, mask, apart);
}
[[gnu::always_inline]] inline u32 joined(const LaneAddresses& at, u32 mask, u32 apart) {
  return joined_by<DoubleWords>(at.of, mask, u64{apart});
}

// Whether runs are four lanes long on average, and so worth looking for.
[[gnu::always_inline]] inline bool in_long_runs(u32 mask, u32 joined) {
  const int lanes = std::popcount(mask);
  return 4 * (lanes - std::popcount(joined)) <= lanes;
}

// The bits of a run's lanes, of which there is one at least.
constexpr u32 lanes_of_run(u32 first, u32 length) {
  return kAllLanes >> (kLanes - length) % kLanes << first;
}

// f(first lane, lanes) for each run of the lanes in `mask`, in their order.
template <typename F>
[[gnu::always_inline]] inline void for_each_run(u32 mask, u32 joined, F&& f) {
  for (u32 left = mask; left;) {
    const u32 first = lowest(left);
    const u32 length = static_cast<u32>(std::countr_one(joined >> first)) + 1;
    f(first, length);
    left &= ~lanes_of_run(first, length);
  }
}

} // namespace course::emulator
