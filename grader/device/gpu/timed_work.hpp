// What is timed: two jobs that write the same output from the same inputs.
#pragma once

#include "device/device.hpp"
#include "device/gpu/memory_map.hpp"

#include <cstdint>
#include <vector>

namespace course::gpu {

struct TimedBuffer {
  Region region;
  bool input = false;     // varied from run to run: see variation.hpp
  device::Bytes contents; // an input's before it is varied, an output's before it is written
};

// The output that is compared, in elements of 4 bytes.
struct TimedOutput {
  std::uint32_t buffer = 0;          // index
  bool floats = true;                // false: equal bits
  double absolute = 0, relative = 0; // how far an element may be from the right one
};

// Of the jobs, modules and plans are used, and no buffers.
struct TimedWork {
  device::Job student, peer;
  bool peer_is_right = true; // its output is what the student's has to be
  device::Job solution;      // whose is, where the peer's is not
  std::vector<TimedBuffer> buffers;
  TimedOutput output;
};

enum class Side : std::uint8_t { student, peer };

// Elements of the student's output that are not the solution's.
struct Different {
  std::uint64_t elements = 0;
  std::uint64_t first = 0; // index; of no meaning when there are none
};

} // namespace course::gpu
