// Why the GPU that is there does not execute what was graded.
#pragma once

#include "device/message.hpp"

#include <cstdint>
#include <string>

namespace course::judge {

struct NotOnGpu {
  enum class Why {
    instruction,   // it came with a later compute capability, or is in another GPU alone
    shared_memory, // a block asks for more
    memory,        // what is timed does
    driver,        // which refused the code, or a launch: `said`
  };
  Why why{};
  bool solution = false;   // the course's own cannot be executed there, so nobody's is timed
  std::string gpu;         // "Tesla T4"
  int has = 0, needs = 0;  // compute capability: 75 for 7.5
  bool alone = false;      // and no later GPU has it
  std::string instruction; // "cp.async.cg.shared.global"
  std::uint32_t line = 0;  // of the source; 0: unknown
  std::uint64_t asks = 0, there = 0; // bytes
  device::Message said;              // by the driver
};

} // namespace course::judge
