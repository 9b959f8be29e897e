// Choices: where threads stop whose order can show, so that somebody chooses who goes on
// (explore/chooser.hpp). Each thread is one by itself from its first such step on: nobody promises
// that lanes of a warp go on together but where they meet at a barrier. What comes by itself to a
// barrier in memory is one, too.
#pragma once

#include "device/emulator/explore/step.hpp"
#include "device/emulator/state/looks.hpp"

namespace course::emulator {

struct MemoryOperand;
struct Block;
struct Warp;

inline constexpr Agent kMostThreads = 4096; // of a grid; copies have the numbers above

Agent agent_of(const Warp&, std::uint32_t lane);

// A thread before its step, or a copy of it. Whether it can go on is said by its looks.
struct Stopped {
  Step step;
  Block* block = nullptr; // of a copy: that it goes to
  const Warp* warp = nullptr;
  std::uint32_t lane = 0;
  const MemoryOperand* access = nullptr;
  const Looks* looks = nullptr; // of a copy: none
};

} // namespace course::emulator
