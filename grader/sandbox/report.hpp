// What the keeper tells the grader over the control socket, one packet each.
#pragma once

#include <cstdint>

namespace course::sandbox {

// What the keeper was doing when the kernel refused.
enum class Step : std::uint32_t { fork, directory, session, limits, user, landlock, filter, run };

struct Report {
  enum class Kind : std::uint32_t {
    failed, // at `step`, with errno `value`: the program was not started
    ended,  // the program ended, `value` is its wait status
  };
  Kind kind{};
  Step step{};
  std::int32_t value = 0;
  std::int64_t cpu_microseconds = 0; // of the program and the children it waited for
};

} // namespace course::sandbox
