#include "runtime/launch_rules.hpp"

#include "device/model/grouped.hpp"
#include "language/translate.hpp"
#include "runtime/h200.hpp"
#include "runtime/occupancy.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace course::runtime {

namespace {

using language::marked;
using model::grouped;

std::uint32_t below(std::uint32_t limit, std::uint32_t used) {
  return limit - std::min(limit, used);
}

LaunchFault invalid(std::string why) {
  return {CudaStatus::invalid_value, std::move(why)};
}

// What translators see of dimension_fault().
[[maybe_unused]] constexpr const char* kDimensionFaults[] = {
    marked("a refusal", "the grid has no extent in x"),
    marked("a refusal", "the grid has no extent in y"),
    marked("a refusal", "the grid has no extent in z"),
    marked("a refusal", "the block has no extent in x"),
    marked("a refusal", "the block has no extent in y"),
    marked("a refusal", "the block has no extent in z"),
    marked("a refusal", "the grid is {} in x; this device allows {}"),
    marked("a refusal", "the grid is {} in y; this device allows {}"),
    marked("a refusal", "the grid is {} in z; this device allows {}"),
    marked("a refusal", "the block is {} in x; this device allows {}"),
    marked("a refusal", "the block is {} in y; this device allows {}"),
    marked("a refusal", "the block is {} in z; this device allows {}")};

std::optional<LaunchFault> dimension_fault(const char* what,
                                           const std::array<std::uint32_t, 3>& size,
                                           const std::array<std::uint32_t, 3>& limit) {
  for (int d = 0; d < 3; ++d) {
    const char axis = "xyz"[d];
    if (size[d] == 0) return invalid(fmt::format("the {} has no extent in {}", what, axis));
    if (size[d] > limit[d]) {
      return invalid(fmt::format("the {} is {} in {}; this device allows {}", what,
                                 grouped(size[d]), axis, grouped(limit[d])));
    }
  }
  return std::nullopt;
}

std::optional<LaunchFault> thread_fault(const device::KernelInfo& kernel, std::uint64_t threads) {
  if (threads > h200::kThreadsPerBlock) {
    return invalid(fmt::format(marked("a refusal", "{} threads a block; this device allows {}"),
                               grouped(threads), grouped(h200::kThreadsPerBlock)));
  }
  if (kernel.max_threads != 0 && threads > kernel.max_threads) {
    return invalid(fmt::format(
        marked("a refusal", "{} threads a block; the kernel's __launch_bounds__ allow {}"),
        grouped(threads), grouped(kernel.max_threads)));
  }
  if (threads > threads_by_registers(kernel.registers)) {
    return LaunchFault{
        CudaStatus::launch_out_of_resources,
        fmt::format(
            marked("a refusal", "{} threads of {} registers each; a block has {} registers"),
            grouped(threads), kernel.registers, grouped(h200::kRegistersPerBlock))};
  }
  return std::nullopt;
}

std::optional<LaunchFault> shared_fault(const device::KernelInfo& kernel,
                                        std::uint32_t most_dynamic, std::uint64_t dynamic) {
  if (kernel.static_shared > h200::kSharedPerBlock) {
    return invalid(fmt::format(
        marked("a refusal", "{} bytes of static shared memory; at most {} can be static"),
        grouped(kernel.static_shared), grouped(h200::kSharedPerBlock)));
  }
  if (dynamic <= most_dynamic) return std::nullopt;
  const auto limit = most_dynamic_shared(kernel);
  if (dynamic > limit) {
    return invalid(fmt::format(
        marked("a refusal", "{} bytes of dynamic shared memory a block beside {} static ones; "
                            "this device allows {} in all"),
        grouped(dynamic), grouped(kernel.static_shared), grouped(h200::kSharedPerBlockOptIn)));
  }
  return invalid(fmt::format(
      marked("a refusal",
             "{} bytes of dynamic shared memory a block; this kernel may have {} until "
             "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {})"),
      grouped(dynamic), grouped(most_dynamic), dynamic));
}

} // namespace

std::uint32_t default_dynamic_shared(const device::KernelInfo& kernel) {
  return below(h200::kSharedPerBlock, kernel.static_shared);
}

std::uint32_t most_dynamic_shared(const device::KernelInfo& kernel) {
  return below(h200::kSharedPerBlockOptIn, kernel.static_shared);
}

std::uint32_t most_threads(const device::KernelInfo& kernel) {
  const auto bound = kernel.max_threads == 0 ? h200::kThreadsPerBlock : kernel.max_threads;
  return std::min(bound, threads_by_registers(kernel.registers));
}

std::optional<LaunchFault> launch_fault(const device::KernelInfo& kernel,
                                        std::uint32_t most_dynamic,
                                        const std::array<std::uint32_t, 3>& grid,
                                        const std::array<std::uint32_t, 3>& block,
                                        std::uint64_t dynamic_shared) {
  // The product first: "2,048 threads a block" says more than "the block is 2,048 in x".
  const auto threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (block[0] <= 1u << 20 && block[1] <= 1u << 20 && block[2] <= 1u << 20) {
    if (auto fault = thread_fault(kernel, threads)) return fault;
  }
  if (auto fault = dimension_fault("grid", grid, h200::kGridDim)) return fault;
  if (auto fault = dimension_fault("block", block, h200::kBlockDim)) return fault;
  return shared_fault(kernel, most_dynamic, dynamic_shared);
}

std::optional<LaunchFault> cooperative_fault(const std::array<std::uint32_t, 3>& grid,
                                             std::uint32_t blocks) {
  const auto room = std::uint64_t{blocks} * h200::kMultiprocessors;
  const auto plane = std::uint64_t{grid[0]} * grid[1];
  if (plane <= room && plane * grid[2] <= room) return std::nullopt;
  return LaunchFault{
      CudaStatus::cooperative_launch_too_large,
      fmt::format(
          marked("a refusal",
                 "a cooperative grid of {} x {} x {} blocks; {} of them fit on each of this "
                 "device's {} multiprocessors, {} in all"),
          grid[0], grid[1], grid[2], blocks, h200::kMultiprocessors, grouped(room))};
}

std::optional<LaunchFault> cluster_fault(const std::array<std::uint32_t, 3>& grid,
                                         const std::array<std::uint32_t, 3>& cluster, bool large) {
  constexpr std::uint64_t kPortable = 8, kMost = 16; // blocks (programming guide, clusters)
  const bool none = cluster[0] == 0 || cluster[1] == 0 || cluster[2] == 0;
  const bool far = cluster[0] > kMost || cluster[1] > kMost || cluster[2] > kMost;
  const auto blocks = std::uint64_t{cluster[0]} * cluster[1] * cluster[2];
  if (none || far || blocks > (large ? kMost : kPortable)) {
    return LaunchFault{
        CudaStatus::invalid_cluster_size,
        fmt::format(
            marked(
                "a refusal",
                "clusters of {} x {} x {} blocks; this device allows {}, and {} where the kernel's "
                "attribute cudaFuncAttributeNonPortableClusterSizeAllowed is set"),
            cluster[0], cluster[1], cluster[2], kPortable, kMost)};
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (grid[i] % cluster[i] == 0) continue;
    return LaunchFault{
        CudaStatus::invalid_cluster_size,
        fmt::format(marked("a refusal",
                           "a grid of {} x {} x {} blocks, which is no multiple of its clusters of "
                           "{} x {} x {}"),
                    grid[0], grid[1], grid[2], cluster[0], cluster[1], cluster[2])};
  }
  return std::nullopt;
}

} // namespace course::runtime
