#include "runtime/launch_rules.hpp"

#include "device/message_id.hpp"
#include "runtime/occupancy_queries.hpp"

#include <algorithm>

namespace course::runtime {

namespace {

using device::Count;
using device::Message;
using Says = device::MessageId;

using model::Gpu;

// The limits in the types of the CUDA runtime: bytes a block, without and with
// cudaFuncSetAttribute.
std::uint32_t shared_per_block(const Gpu& gpu) {
  return static_cast<std::uint32_t>(gpu.multiprocessor.shared_bytes_without_opt_in);
}
std::uint32_t shared_per_block_opt_in(const Gpu& gpu) {
  return static_cast<std::uint32_t>(gpu.multiprocessor.shared_bytes_a_block);
}
std::uint32_t threads_per_block(const Gpu& gpu) {
  return static_cast<std::uint32_t>(gpu.multiprocessor.threads_a_block);
}

std::uint32_t below(std::uint32_t limit, std::uint32_t used) {
  return limit - std::min(limit, used);
}

LaunchFault invalid(Message why) {
  return {CudaStatus::invalid_value, std::move(why)};
}

std::optional<LaunchFault> dimension_fault(Says none, Says too_large,
                                           const std::array<std::uint32_t, 3>& size,
                                           const std::array<std::uint32_t, 3>& limit) {
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) {
    if (size[d] == 0) return invalid(Message(none, kAxes[d]));
    if (size[d] > limit[d])
      return invalid(Message(too_large, Count{size[d]}, kAxes[d], Count{limit[d]}));
  }
  return std::nullopt;
}

std::optional<LaunchFault> thread_fault(const Gpu& gpu, const device::KernelInfo& kernel,
                                        std::uint64_t threads) {
  if (threads > threads_per_block(gpu))
    return invalid(
        Message(Says::threads_beyond_device, Count{threads}, Count{threads_per_block(gpu)}));
  if (kernel.max_threads != 0 && threads > kernel.max_threads)
    return invalid(Message(Says::threads_beyond_bounds, Count{threads}, Count{kernel.max_threads}));
  if (threads > threads_by_registers(gpu.multiprocessor, kernel.registers))
    return LaunchFault{CudaStatus::launch_out_of_resources,
                       Message(Says::threads_beyond_registers, Count{threads}, kernel.registers,
                               Count{static_cast<std::uint32_t>(gpu.multiprocessor.registers)})};
  return std::nullopt;
}

std::optional<LaunchFault> shared_fault(const Gpu& gpu, const device::KernelInfo& kernel,
                                        std::uint32_t most_dynamic, std::uint64_t dynamic) {
  if (kernel.static_shared > shared_per_block(gpu))
    return invalid(Message(Says::too_much_static_shared, Count{kernel.static_shared},
                           Count{shared_per_block(gpu)}));
  if (dynamic <= most_dynamic) return std::nullopt;
  if (dynamic > most_dynamic_shared(gpu, kernel))
    return invalid(Message(Says::shared_beyond_device, Count{dynamic}, Count{kernel.static_shared},
                           Count{shared_per_block_opt_in(gpu)}));
  // Code to copy has no commas in its numbers.
  return invalid(
      Message(Says::shared_beyond_attribute, Count{dynamic}, Count{most_dynamic}, dynamic));
}

} // namespace

std::uint32_t default_dynamic_shared(const Gpu& gpu, const device::KernelInfo& kernel) {
  return below(shared_per_block(gpu), kernel.static_shared);
}

std::uint32_t most_dynamic_shared(const Gpu& gpu, const device::KernelInfo& kernel) {
  return below(shared_per_block_opt_in(gpu), kernel.static_shared);
}

std::uint32_t most_threads(const Gpu& gpu, const device::KernelInfo& kernel) {
  const auto bound = kernel.max_threads == 0 ? threads_per_block(gpu) : kernel.max_threads;
  return std::min(bound, threads_by_registers(gpu.multiprocessor, kernel.registers));
}

std::optional<LaunchFault> launch_fault(const Gpu& gpu, const device::KernelInfo& kernel,
                                        std::uint32_t most_dynamic,
                                        const std::array<std::uint32_t, 3>& grid,
                                        const std::array<std::uint32_t, 3>& block,
                                        std::uint64_t dynamic_shared) {
  // The product first: "2,048 threads a block" says more than "the block is 2,048 in x".
  const auto threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (block[0] <= 1u << 20 && block[1] <= 1u << 20 && block[2] <= 1u << 20) {
    if (auto fault = thread_fault(gpu, kernel, threads)) return fault;
  }
  if (auto fault =
          dimension_fault(Says::no_extent_of_grid, Says::grid_too_large, grid, gpu.grid_dim))
    return fault;
  if (auto fault =
          dimension_fault(Says::no_extent_of_block, Says::block_too_large, block, gpu.block_dim))
    return fault;
  return shared_fault(gpu, kernel, most_dynamic, dynamic_shared);
}

std::optional<LaunchFault>
cooperative_fault(const Gpu& gpu, const std::array<std::uint32_t, 3>& grid, std::uint32_t blocks) {
  const auto room = std::uint64_t{blocks} * gpu.multiprocessors;
  const auto plane = std::uint64_t{grid[0]} * grid[1];
  if (plane <= room && plane * grid[2] <= room) return std::nullopt;
  return LaunchFault{CudaStatus::cooperative_launch_too_large,
                     Message(Says::cooperative_too_large, grid[0], grid[1], grid[2], blocks,
                             gpu.multiprocessors, Count{room})};
}

std::optional<LaunchFault> cluster_fault(const Gpu& gpu, const std::array<std::uint32_t, 3>& grid,
                                         const std::array<std::uint32_t, 3>& cluster, bool large) {
  const std::uint64_t portable = gpu.portable_cluster, most = gpu.largest_cluster;
  const bool none = cluster[0] == 0 || cluster[1] == 0 || cluster[2] == 0;
  const bool far = cluster[0] > most || cluster[1] > most || cluster[2] > most;
  const auto blocks = std::uint64_t{cluster[0]} * cluster[1] * cluster[2];
  if (none || far || blocks > (large ? most : portable))
    return LaunchFault{
        CudaStatus::invalid_cluster_size,
        Message(Says::cluster_too_large, cluster[0], cluster[1], cluster[2], portable, most)};
  for (std::size_t i = 0; i < 3; ++i)
    if (grid[i] % cluster[i] != 0)
      return LaunchFault{CudaStatus::invalid_cluster_size,
                         Message(Says::grid_is_no_multiple, grid[0], grid[1], grid[2], cluster[0],
                                 cluster[1], cluster[2])};
  return std::nullopt;
}

} // namespace course::runtime
