#include "device/gpu/variation.hpp"

#include "device/splitmix64.hpp"

namespace course::gpu {

using device::kSplitmixStep, device::splitmix64; // timed_kernels.cpp has them in PTX

std::uint64_t seed_of_buffer(std::uint64_t seed, std::uint32_t buffer) {
  return splitmix64(seed + (buffer + 1) * kSplitmixStep);
}

std::uint64_t seed_of_pair(std::uint64_t seed, std::uint64_t pair) {
  return splitmix64(seed ^ splitmix64(pair + kSplitmixStep));
}

Move moved_word(std::uint64_t buffer_seed, std::uint64_t stratum, std::uint64_t words) {
  const std::uint64_t random = splitmix64(buffer_seed + (stratum + 1) * kSplitmixStep);
  return {stratum * kStratum + random % kStratum, random / kStratum % words};
}

} // namespace course::gpu
