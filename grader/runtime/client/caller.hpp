// Where in the program a call comes from, or an access of its host code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace course::client {

// Return addresses in the program's own code, from the inside out, less where it was loaded.
struct OwnFrames {
  static constexpr std::size_t kMost = 4;
  std::array<std::uint64_t, kMost> addresses{};
  std::size_t count = 0;
};

// Of this thread. In a signal handler: after prepare_frames(), with the address of the instruction
// that was interrupted, to which nothing returns.
OwnFrames own_frames(std::uint64_t interrupted = 0);
// What own_frames loads and keeps the first time, which a signal handler may not.
void prepare_frames();

// Tells the grader, for the allocation that this thread asks for next.
void tell_called_from(const char* call);

} // namespace course::client
