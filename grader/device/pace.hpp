// Pace: how far a live device has come, for who watches it from another thread, and their word to
// stop.
#pragma once

#include <atomic>
#include <cstdint>

namespace course::device {

struct Pace {
  std::atomic<std::uint64_t> launches{0};     // that are over
  std::atomic<std::uint64_t> instructions{0}; // warp-instructions of them
  // Of the launch at work, which may be executed a second time, and begins at 0 then.
  std::atomic<std::uint64_t> blocks{0}; // 0: there is none
  std::atomic<std::uint64_t> blocks_done{0};
  std::atomic<std::uint64_t> instructions_of_launch{0};

  // Once it is set, the launch at work ends soon, with what it has executed, and no other begins.
  std::atomic<bool> stop{false};

  std::uint64_t all_instructions() const { return instructions + instructions_of_launch; }
};

} // namespace course::device
