// The last steps of splitmix64 (by Sebastiano Vigna, public domain): neighbouring numbers become
// numbers that have nothing in common.
#pragma once

#include <cstdint>

namespace course::device {

inline constexpr std::uint64_t kSplitmixStep = 0x9e3779b97f4a7c15; // between a sequence's states

constexpr std::uint64_t splitmix64(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

} // namespace course::device
