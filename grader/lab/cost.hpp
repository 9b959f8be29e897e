// What a kernel may take, as many times what a solution takes: see judge::Cost.
#pragma once

#include "judge/execution.hpp"

#include <cstdint>

namespace course::lab {

// Generous: twice what the slowest honest kernels take that were tried, CUB's among them.
inline constexpr std::uint64_t kManyTimes = 8;

// `instructions` and `requests` are a solution's, roughly; what a launch takes for nothing is
// added.
inline judge::Cost many_times(std::uint64_t instructions, std::uint64_t requests) {
  return {kManyTimes * (instructions + 500), kManyTimes * (requests + 50)};
}

} // namespace course::lab
