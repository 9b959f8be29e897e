// What a kernel may take, as many times what a solution takes: see judge::Cost.
#pragma once

#include "judge/execution.hpp"

#include <cstdint>

namespace course::lab {

// Generous: twice what the slowest honest kernels take that were tried, CUB's among them.
inline constexpr std::uint64_t kManyTimes = 8;

// What a launch takes for nothing.
inline constexpr judge::Cost kOfALaunch{500, 50};

// `instructions` and `requests` are a solution's, roughly.
inline judge::Cost many_times(std::uint64_t instructions, std::uint64_t requests) {
  return {kManyTimes * (instructions + kOfALaunch.instructions),
          kManyTimes * (requests + kOfALaunch.requests)};
}
// And back.
inline judge::Cost once(const judge::Cost& many) {
  return {many.instructions / kManyTimes - kOfALaunch.instructions,
          many.requests / kManyTimes - kOfALaunch.requests};
}

} // namespace course::lab
