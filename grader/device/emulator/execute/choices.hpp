// Choices: where threads stop whose order can show, so that somebody chooses who goes on
// (explore/chooser.hpp). Each thread is one by itself from its first such step on: nobody promises
// that lanes of a warp go on together but where they meet at a barrier.
#pragma once

#include "device/emulator/explore/step.hpp"
#include "device/emulator/state/looks.hpp"

namespace course::emulator {

struct MemoryOperand;
struct Block;
struct Warp;

// A thread before its step. Whether it can go on is said by its looks.
struct Stopped {
  Step step;
  Block* block = nullptr;
  std::uint32_t warp = 0, lane = 0;
  const MemoryOperand* access = nullptr;
  const Looks* looks = nullptr;
};

} // namespace course::emulator
