// Block: the threads of one block while they execute, and what they share.
#pragma once

#include "device/device.hpp"
#include "device/emulator/state/copies.hpp"
#include "device/emulator/state/looks.hpp"
#include "device/emulator/state/memory_barriers.hpp"
#include "device/emulator/state/product_groups.hpp"
#include "device/emulator/state/shared_memory.hpp"
#include "device/emulator/state/warp.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct AccessCounter; // count/access_counter.hpp
struct Checker;       // check/checker.hpp
struct Cluster;
struct Code;
struct Counters; // count/access_counter.hpp
struct Launch;

inline constexpr std::size_t kMostPrinted = 1u << 20; // bytes of a job; more is cut
inline constexpr std::uint32_t kBarriers = 16;        // named barriers of a block

// Threads that wait at a barrier. A barrier of the whole block is complete when all threads that
// have not ended have arrived, another when `needed` have.
struct Barrier {
  std::uint32_t arrived = 0;                               // threads
  std::uint32_t needed = 0;                                // 0: the whole block
  std::uint32_t warps = 0;                                 // that have a thread in it
  std::uint32_t passed = 0;                                // of these, that did not wait
  std::array<std::uint32_t, kLanes> arrival{};             // their stamps then
  std::uint32_t true_predicates = 0, false_predicates = 0; // bar.red: that threads brought
};

struct RegisterPool {
  std::uint32_t free = 0;   // given back, and not taken: registers of a thread, of one warp
  std::uint32_t parked = 0; // splits that wait
};

struct Block {
  const Launch* launch = nullptr;
  device::Dim3 index;
  std::uint64_t linear = 0; // index.x + grid.x * (index.y + grid.y * index.z)
  std::vector<Warp> warps;
  SharedMemory shared;
  Cluster* cluster = nullptr;    // nullptr: it is alone
  std::uint32_t rank = 0;        // in its cluster
  std::uint32_t rank_bits = 0;   // that addresses of its shared memory have above the offset
  std::uint64_t first_owner = 0; // its first thread, as footprint.hpp counts those of the grid
  std::array<Barrier, kBarriers> barriers;
  std::uint32_t live = 0; // threads that have not ended
  bool checks = true;     // races and uninitialised reads

  // What the layers above keep of it: never absent while it executes (execute/worker_block.hpp).
  Counters* counters = nullptr;
  Checker* checker = nullptr;

  // Of the worker, over all its blocks of a launch.
  // How often each operation was executed; empty when the launch does not ask for it.
  std::unordered_map<const Code*, std::vector<std::uint64_t>> executed;
  device::LaunchTotals totals;
  std::string printed;

  std::uint64_t block_instructions = 0; // of this block, for the budget
  std::uint64_t told = 0;               // of them, to the launch's pace
  Landing landing;                      // of asynchronous copies
  MemoryBarriers memory_barriers;
  BulkReads bulk_reads;
  Products products; // of warpgroups
  RegisterPool registers;
  // The last warp that tried an atomic loop on each word of shared memory, plus 1, and where that
  // was counted; empty before any.
  std::vector<std::uint8_t> attempted_by;
  std::vector<AccessCounter*> attempted_at;
  std::unordered_map<std::uint32_t, Looks> looks; // of threads, where orders are chosen
  bool ended = false;                             // a fatal finding ended the kernel here

  device::Dim3 thread(const Warp&, std::uint32_t lane) const;
};

} // namespace course::emulator
