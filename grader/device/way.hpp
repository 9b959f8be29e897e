// By which way a value came to where it is: through which memories, and from lane to lane by what.
//
// A bit for each part of the way that some part of the value has gone; 0 for a value that no input
// has anything to do with, such as a constant or an index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::device {

using Way = std::uint32_t;

namespace way {
inline constexpr Way direct = 1;      // loaded from an input, and handed over by nothing since
inline constexpr Way stored = 2;      // stored to shared memory by a thread
inline constexpr Way copied = 4;      // copied there asynchronously
inline constexpr Way shuffled = 8;    // shuffled
inline constexpr Way voted = 16;      // learnt from a vote, a match or a reduction of lanes
inline constexpr Way multiplied = 32; // made by a matrix instruction
inline constexpr Way global = 64;     // written to global memory by a kernel, and loaded again

// By what exactly, beside one of the above: these alone are no way.
inline constexpr Way bulk = 128;      // copied: by a bulk copy
inline constexpr Way warpgroup = 256; // multiplied: by a warpgroup (wgmma)
inline constexpr Way rows = 512;      // loaded from shared memory as rows of matrices (ldmatrix)
inline constexpr Way warps = 1024;    // handed over in shared memory to another warp
inline constexpr Way constant = 2048; // made with a number from constant memory
inline constexpr Way local = 4096;    // kept in local memory meanwhile
inline constexpr Way blocks = 8192;   // the same to another block of the cluster, data or not
inline constexpr Way map = 16384;     // bulk: by a tensor map
inline constexpr Way results = 32768; // global: written by another block than loaded it
inline constexpr Way out = 65536;     // written to global memory by a bulk copy
inline constexpr Way loose = 131072;  // multiplied: with an operand that did not come as rows
inline constexpr Way details =
    bulk | warpgroup | rows | warps | constant | local | blocks | map | results | out | loose;
} // namespace way

// What is counted of a job whose data are followed. Instructions are executed ones, of warps,
// whatever the machine code made of them.
enum class Used : std::uint8_t {
  phase_arrivals,  // arrivals at barriers in memory (mbarrier.arrive)
  constant_loads,  // loads from constant memory, but parameters
  local_accesses,  // of threads, to local memory
  copied_bytes,    // of shared memory, that asynchronous copies have filled: the most of any block
  dynamic_bytes,   // of a dynamic allocation, that anybody has written: the most of any block
  shared_updates,  // stores and atomics of threads, to shared memory
  loads_meanwhile, // of threads, from shared memory, while copies of the block are under way
  copies_ahead, // batches of copies under way, of the warp: the sum over bytes that it loads there
  bytes_ahead,  // of data in shared memory that nobody has read yet: the most of any block
  lent_bytes,   // of shared memory, that other blocks have read: the most of any block
  barriers_of_all, // of warps, at which all threads of the block meet
  words_alone,     // of data, that threads store in shared memory: of a warp, beyond two a shuffle
  busiest_bytes,   // of inputs, loaded by the warp of a block that loads most: of all blocks
  constant_bytes,  // of constant memory, but parameters, that anybody has read: as table_bytes
  table_bytes,     // of global memory, but inputs, the same: the first 4096
};
inline constexpr std::size_t kUsed = 15;
using UsedCounts = std::array<std::uint64_t, kUsed>; // by Used

struct Followed {
  // Of each byte of each of the job's buffers, in order, after the last step that was executed.
  std::vector<std::vector<Way>> ways;
  UsedCounts used{};
};

struct Job; // device.hpp

// A device that can follow data. It executes the job for that alone: slowly, and from a fresh
// state.
class Follower {
public:
  virtual ~Follower() = default;
  virtual Followed follow(const Job&) = 0;
};

} // namespace course::device
