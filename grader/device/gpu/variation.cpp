#include "device/gpu/variation.hpp"

namespace course::gpu {
namespace {

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

// splitmix64, by Sebastiano Vigna, public domain; timed_kernels.cpp has it in PTX.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

} // namespace

std::uint64_t seed_of_buffer(std::uint64_t seed, std::uint32_t buffer) {
  return mixed(seed + (buffer + 1) * kStep);
}

std::uint64_t seed_of_pair(std::uint64_t seed, std::uint64_t pair) {
  return mixed(seed ^ mixed(pair + kStep));
}

Move moved_word(std::uint64_t buffer_seed, std::uint64_t stratum, std::uint64_t words) {
  const std::uint64_t random = mixed(buffer_seed + (stratum + 1) * kStep);
  return {stratum * kStratum + random % kStratum, random / kStratum % words};
}

} // namespace course::gpu
