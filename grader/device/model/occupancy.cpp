#include "device/model/occupancy.hpp"

#include <algorithm>
#include <climits>

#include "device/model/request.hpp"

namespace course::model {
namespace {

constexpr int kRegisterStep = 256; // a warp
constexpr std::uint64_t kSharedStep = 128;

template <typename Integer>
Integer rounded_up(Integer value, Integer step) {
  return (value + step - 1) / step * step;
}

int by_threads(int warps, const MultiprocessorLimits& limits) {
  return limits.threads / kLanes / warps;
}

int by_registers(int warps, int registers_a_thread, const MultiprocessorLimits& limits) {
  if (registers_a_thread <= 0) return INT_MAX;
  if (registers_a_thread > limits.registers_a_thread) return 0;
  const int registers_a_warp = rounded_up(registers_a_thread * kLanes, kRegisterStep);
  const int warps_a_partition = limits.registers / limits.partitions / registers_a_warp;
  return warps_a_partition * limits.partitions / warps;
}

int by_shared_memory(std::uint64_t bytes, const MultiprocessorLimits& limits) {
  if (bytes > limits.shared_bytes_a_block) return 0;
  const std::uint64_t allocated =
      rounded_up(bytes + limits.reserved_shared_bytes_a_block, kSharedStep);
  return static_cast<int>(limits.shared_bytes / allocated);
}

} // namespace

Occupancy occupancy(const BlockNeeds& needs, const MultiprocessorLimits& limits) {
  if (needs.threads <= 0 || needs.threads > limits.threads_a_block) return {};
  const int warps = static_cast<int>((needs.threads + kLanes - 1) / kLanes);
  const int threads = by_threads(warps, limits);
  const int registers = by_registers(warps, needs.registers_a_thread, limits);
  const int shared = by_shared_memory(needs.shared_bytes, limits);

  Occupancy result;
  result.blocks = std::min({threads, registers, shared, limits.blocks});
  if (result.blocks == 0) return {};
  result.warps = result.blocks * warps;
  result.fraction = static_cast<double>(result.warps) / (limits.threads / kLanes);
  result.limit = result.blocks == threads     ? OccupancyLimit::threads
                 : result.blocks == registers ? OccupancyLimit::registers
                 : result.blocks == shared    ? OccupancyLimit::shared_memory
                                              : OccupancyLimit::blocks;
  return result;
}

} // namespace course::model
