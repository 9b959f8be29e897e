// The 32 lanes of a warp as a frame has them (decode/operation.hpp), and of masks.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <bit>
#include <cstring>

namespace course::emulator {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

#define COURSE_AVX2 gnu::target("avx2,fma,bmi,bmi2,lzcnt,popcnt")

alignas(64) inline constexpr std::array<u32, kLanes> kLaneBit = [] {
  std::array<u32, kLanes> bits{};
  for (int lane = 0; lane < kLanes; ++lane) bits[lane] = 1u << lane;
  return bits;
}();

// Of the lanes of a mask that is not 0, the first. (std::countr_zero has an answer for 0 as well,
// for which no array has a place, as g++ 13 warns.)
inline u32 lowest(u32 mask) {
  return static_cast<u32>(__builtin_ctz(mask));
}

template <typename T>
[[gnu::always_inline]] inline T* lanes_at(std::byte* frame, Slot slot) {
  return static_cast<T*>(__builtin_assume_aligned(frame + slot, 32));
}
[[gnu::always_inline]] inline u32& predicate_at(std::byte* frame, Slot slot) {
  return *reinterpret_cast<u32*>(frame + slot);
}

} // namespace course::emulator
