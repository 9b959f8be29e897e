// Choices: where threads stop whose order can show, so that somebody chooses who goes on
// (explore/chooser.hpp). Each thread is one by itself from its first such step on: nobody promises
// that lanes of a warp go on together but where they meet at a barrier.
#pragma once

#include "device/emulator/explore/step.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace course::emulator {

struct Access;
struct Block;
struct Operation;
struct Warp;

// What a thread of a block has looked at: where it comes back to the same place with the same
// values in its registers, and all that it has looked at on the way is what it was, it goes round
// in vain.
class Looks {
public:
  struct Look {
    const Operation* operation = nullptr;
    std::uint64_t registers = 0; // a digest
    const std::byte* at = nullptr;
    std::uint32_t bytes = 0;
    std::array<std::byte, 16> found{}; // there, before the step

    bool is_as_it_was() const;
  };

  void add(const Look&);
  // Whether the last one leads to nothing else than the ones before it, as long as nobody changes
  // what they looked at.
  bool in_vain() const;

private:
  std::vector<Look> looks_; // the last of them
};

// A thread before its step. Whether it can go on is said by its looks.
struct Stopped {
  Step step;
  Block* block = nullptr;
  std::uint32_t warp = 0, lane = 0;
  const Access* access = nullptr;
  const Looks* looks = nullptr;
};

} // namespace course::emulator
