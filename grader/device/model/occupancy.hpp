// Occupancy: how many blocks of a kernel fit on one streaming multiprocessor (SM) at a time.
//
// The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h, CUDA 13.0, compute
// capability 9.0): registers are allocated to warps in steps of 256, from four equal partitions;
// shared memory to blocks in steps of 128 bytes, with 1 KiB reserved a block; and the SM is
// configured for as much shared memory as it has.
#pragma once

#include <cstdint>

namespace course::model {

// Limits of an H200, as its device attributes report them.
struct MultiprocessorLimits {
  int threads_a_block = 1024;
  int threads = 2048;
  int blocks = 32;
  int registers = 65536; // a block may have as many
  int registers_a_thread = 255;
  int partitions = 4;
  std::uint64_t shared_bytes = 228 * 1024;
  std::uint64_t shared_bytes_a_block = 227 * 1024; // static and dynamic, after opting in
  std::uint64_t shared_bytes_without_opt_in = 48 * 1024;
  std::uint64_t reserved_shared_bytes_a_block = 1024;
};
inline constexpr MultiprocessorLimits kH200Multiprocessor;
inline constexpr int kH200Multiprocessors = 132;

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
Occupancy occupancy(const BlockNeeds&, const MultiprocessorLimits& = kH200Multiprocessor);

} // namespace course::model
