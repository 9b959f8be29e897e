// Asynchronous copies from global to shared memory: cp.async, its groups, and its waits.
//
// A copy is in flight from the instruction until its thread waits for its group. What it brings is
// in shared memory only then, and for other threads only behind a barrier after that. Who accesses
// the place earlier is reported. It is counted as the GPU counts it, in one row for both sides
// (model/async_copy.hpp); and once more as a load of its source, for the sectors that it touches,
// which are not those that the GPU counts.
#pragma once

#include "device/emulator/decode/access.hpp"
#include "device/emulator/decode/operation.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct Block;
struct Warp;

struct AsyncCopy {
  std::uint64_t number = 0; // among the copies of its warp
  std::uint32_t group = 0;  // of its lane
  std::uint32_t lane = 0;
  std::uint32_t to = 0; // offset in shared memory
  const Access* access = nullptr;
  std::array<std::byte, 16> bytes{};
};

// Those of one warp that are in flight, in order.
struct AsyncCopies {
  std::vector<AsyncCopy> in_flight;
  std::array<std::uint32_t, kLanes> committed{}; // groups of each lane
  std::uint64_t started = 0;

  void clear() {
    in_flight.clear();
    committed.fill(0);
    started = 0;
  }
};

// Where copies of a block will land.
struct Landing {
  std::uint32_t copies = 0;         // in flight, of all warps; bulk copies that read included
  std::vector<std::uint32_t> words; // for each word of shared memory, copies that will write it

  void clear();
  void expect(std::uint32_t offset, std::uint32_t bytes);
  void done(std::uint32_t offset, std::uint32_t bytes);
  bool at(std::uint32_t offset, std::uint32_t width) const;
};

// Operations. The copy has the access to shared memory, whose `global` is the other side; slot 1
// holds how many bytes come from there, the rest being zero. The wait has its count in `immediate`.
void start_copy(Warp&, const Operation&, std::uint32_t mask);
void commit_copies(Warp&, const Operation&, std::uint32_t mask);
void wait_for_groups(Warp&, const Operation&, std::uint32_t mask);
void wait_for_all(Warp&, const Operation&, std::uint32_t mask);

// Those of one lane with a number below arrive: a barrier in memory is told of them.
void complete_copies(Warp&, std::uint32_t lane, std::uint64_t before);

// Reports lanes that read or write what a copy in flight will write, or write what a bulk copy in
// flight may still read.
void check_in_flight(Warp&, const Access&, std::uint32_t mask, const LaneOffsets&);

} // namespace course::emulator
