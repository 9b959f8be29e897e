#include "runtime/occupancy_queries.hpp"

#include "device/model/occupancy.hpp"
#include "runtime/h200.hpp"

#include <algorithm>

namespace course::runtime {

namespace {

constexpr std::uint64_t kSharedStep = 128; // bytes
constexpr std::uint32_t kWarp = 32;

// Bytes of an SM's L1 that serve as shared memory: the preferred share, rounded up to what exists,
// but never less than one block needs.
std::uint64_t shared_of_sm(std::int32_t carveout, std::uint64_t block) {
  const std::uint64_t all = model::kH200.multiprocessor.shared_bytes;
  if (carveout < 0) return all;
  const auto wanted = std::max(all * static_cast<std::uint64_t>(carveout) / 100, block);
  for (const std::uint64_t size : model::kH200.multiprocessor.shared_kib) {
    if (size << 10 >= wanted) return size << 10;
  }
  return all;
}

std::uint32_t blocks_of(std::uint32_t registers, std::uint32_t threads, std::uint64_t shared,
                        const model::MultiprocessorLimits& limits) {
  const auto fit = model::occupancy({threads, static_cast<int>(registers), shared}, limits).blocks;
  return static_cast<std::uint32_t>(fit);
}

} // namespace

std::uint32_t active_blocks(const KernelResources& kernel, std::uint32_t threads,
                            std::uint64_t dynamic) {
  const std::uint64_t most =
      std::max(h200::kSharedPerBlock, kernel.static_shared + kernel.most_dynamic);
  if (dynamic > most || kernel.static_shared + dynamic > most) return 0;
  auto limits = model::kH200.multiprocessor;
  const auto shared = kernel.static_shared + dynamic;
  limits.shared_bytes =
      shared_of_sm(kernel.carveout, shared + limits.reserved_shared_bytes_a_block);
  return blocks_of(kernel.registers, threads, shared, limits);
}

std::optional<std::uint64_t> available_shared(const KernelResources& kernel, std::uint32_t blocks,
                                              std::uint32_t threads) {
  const auto fit = blocks_of(kernel.registers, threads, 0, model::kH200.multiprocessor);
  if (blocks == 0 || blocks > fit) return std::nullopt;
  const auto share = shared_of_sm(kernel.carveout, 0) / blocks / kSharedStep * kSharedStep;
  if (share < kernel.static_shared) return std::nullopt;
  return std::min<std::uint64_t>(share - kernel.static_shared, kernel.most_dynamic);
}

std::uint32_t threads_by_registers(std::uint32_t registers) {
  for (std::uint32_t threads = h200::kThreadsPerBlock; threads > 0; threads -= kWarp) {
    if (blocks_of(registers, threads, 0, model::kH200.multiprocessor) > 0) return threads;
  }
  return 0;
}

} // namespace course::runtime
