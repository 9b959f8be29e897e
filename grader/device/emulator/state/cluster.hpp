// Cluster: blocks that are on the device together, reach each other's shared memory, and wait for
// each other at a barrier of their own.
#pragma once

#include "device/emulator/state/knowledge.hpp"

#include <cstdint>
#include <vector>

namespace course::emulator {

struct Block;

struct Cluster {
  std::vector<Block*> blocks; // by rank
  std::uint32_t arrived = 0;  // threads, at the barrier, that it has not let through
  std::uint32_t complete = 0; // how often all have arrived
  Passed gathered, completed; // what those who arrived pass on

  void begin();
  void settle(); // the barrier is complete when all threads that have not ended have arrived
  std::uint32_t live() const;
};

} // namespace course::emulator
