// Work that is done in processes of its own, several at a time: each has children that no other
// one sees, which is how a trial finds what was left behind.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace course::trust {

struct Crew {
  unsigned jobs = 2;     // 1 to 256 processes
  bool one_core = false; // each kept to one of this machine's cores, so that none waits for another
  std::optional<std::chrono::steady_clock::time_point> until; // nothing is begun afterwards
};

// Calls `work` with the numbers from `first` to `end` - 1, each once and in order of their
// beginning, in processes that are subreapers, and `each` in this one with what it returned, as it
// comes: a text without line ends. Returns the first number that was not begun. Call it before any
// thread is started.
std::uint64_t in_processes(std::uint64_t first, std::uint64_t end, const Crew&,
                           const std::function<std::string(std::uint64_t)>& work,
                           const std::function<void(const std::string&)>& each);

} // namespace course::trust
