// Occupancy: how many blocks of a kernel fit on one streaming multiprocessor (SM) at a time.
//
// The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h, CUDA 13.0, compute
// capability 9.0): registers are allocated to warps in steps of 256, from four equal partitions;
// shared memory to blocks in steps of 128 bytes, with 1 KiB reserved a block; and the SM is
// configured for as much shared memory as it has.
#pragma once

#include "device/model/known_gpus.hpp"

#include <cstdint>

namespace course::model {

// What one block of a kernel needs.
struct BlockNeeds {
  std::int64_t threads = 0;
  int registers_a_thread = 0;
  std::uint64_t shared_bytes = 0; // static and dynamic
};

// What stops one more block from fitting. When several do, the first of these.
enum class OccupancyLimit { nothing_fits, threads, registers, shared_memory, blocks };

struct Occupancy {
  int blocks = 0; // on one SM
  int warps = 0;
  double fraction = 0; // of the warps that an SM can hold
  OccupancyLimit limit = OccupancyLimit::nothing_fits;
};

// Zero blocks when even one does not fit, or when `threads` is not positive. Shared memory beyond
// 48 KiB is taken as opted in to; whether the program did so is the launch's affair.
Occupancy occupancy(const BlockNeeds&, const MultiprocessorLimits&);

} // namespace course::model
