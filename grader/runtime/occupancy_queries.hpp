// The runtime's occupancy queries, answered as CUDA 13.0 does on an H200.
//
// device/model has the rule of the hardware; here is what the API makes of it. Observed on an H200
// (driver 580) with six kernels: 10 to 255 registers, 0 to 40 KiB of static shared memory, with and
// without a carveout and an opt-in.
#pragma once

#include "device/model/known_gpus.hpp"

#include <cstdint>
#include <optional>

namespace course::runtime {

struct KernelResources {
  std::uint32_t registers = 0;     // a thread; 0 when unknown: then they limit nothing
  std::uint32_t static_shared = 0; // bytes a block
  std::uint32_t most_dynamic = 0;  // bytes a block that a launch may ask for
  std::int32_t carveout = -1;      // preferred share of the L1 for shared memory, in percent; or -1
};

// cudaOccupancyMaxActiveBlocksPerMultiprocessor: blocks of `threads` (more than 0) with `dynamic`
// bytes of shared memory that fit on an SM. A limit that was set below the 48 KiB that every kernel
// may have counts for launches, not here.
std::uint32_t active_blocks(const model::MultiprocessorLimits&, const KernelResources&,
                            std::uint32_t threads, std::uint64_t dynamic);

// cudaOccupancyAvailableDynamicSMemPerBlock: the dynamic shared memory that `blocks` of `threads`
// on an SM leave each other; nothing when they do not fit at all. The kilobyte that the system
// reserves of each block is not taken off, though a launch needs it.
std::optional<std::uint64_t> available_shared(const model::MultiprocessorLimits&,
                                              const KernelResources&, std::uint32_t blocks,
                                              std::uint32_t threads);

// Threads a block that the registers allow: whole warps, at most 1,024.
std::uint32_t threads_by_registers(const model::MultiprocessorLimits&, std::uint32_t registers);

} // namespace course::runtime
