#include "runtime/occupancy_queries.hpp"

#include "device/model/occupancy.hpp"

#include <algorithm>

namespace course::runtime {

namespace {

using Limits = model::MultiprocessorLimits;

constexpr std::uint64_t kSharedStep = 128; // bytes
constexpr std::uint32_t kWarp = 32;

// Bytes of an SM's L1 that serve as shared memory: the preferred share, rounded up to what exists,
// but never less than one block needs.
std::uint64_t shared_of_sm(const Limits& sm, std::int32_t carveout, std::uint64_t block) {
  const std::uint64_t all = sm.shared_bytes;
  if (carveout < 0) return all;
  const auto wanted = std::max(all * static_cast<std::uint64_t>(carveout) / 100, block);
  for (const std::uint64_t size : sm.shared_kib) {
    if (size << 10 >= wanted) return size << 10;
  }
  return all;
}

std::uint32_t blocks_of(std::uint32_t registers, std::uint32_t threads, std::uint64_t shared,
                        const Limits& limits) {
  const auto fit = model::occupancy({threads, static_cast<int>(registers), shared}, limits).blocks;
  return static_cast<std::uint32_t>(fit);
}

} // namespace

std::uint32_t active_blocks(const Limits& sm, const KernelResources& kernel, std::uint32_t threads,
                            std::uint64_t dynamic) {
  const std::uint64_t most = std::max(static_cast<std::uint32_t>(sm.shared_bytes_without_opt_in),
                                      kernel.static_shared + kernel.most_dynamic);
  if (dynamic > most || kernel.static_shared + dynamic > most) return 0;
  auto limits = sm;
  const auto shared = kernel.static_shared + dynamic;
  limits.shared_bytes =
      shared_of_sm(sm, kernel.carveout, shared + limits.reserved_shared_bytes_a_block);
  return blocks_of(kernel.registers, threads, shared, limits);
}

std::optional<std::uint64_t> available_shared(const Limits& sm, const KernelResources& kernel,
                                              std::uint32_t blocks, std::uint32_t threads) {
  const auto fit = blocks_of(kernel.registers, threads, 0, sm);
  if (blocks == 0 || blocks > fit) return std::nullopt;
  const auto share = shared_of_sm(sm, kernel.carveout, 0) / blocks / kSharedStep * kSharedStep;
  if (share < kernel.static_shared) return std::nullopt;
  return std::min<std::uint64_t>(share - kernel.static_shared, kernel.most_dynamic);
}

std::uint32_t threads_by_registers(const Limits& sm, std::uint32_t registers) {
  for (auto threads = static_cast<std::uint32_t>(sm.threads_a_block); threads > 0;
       threads -= kWarp) {
    if (blocks_of(registers, threads, 0, sm) > 0) return threads;
  }
  return 0;
}

} // namespace course::runtime
