// By which way a value came to where it is: through which memories, and from lane to lane by what.
//
// A bit for each part of the way that some part of the value has gone; 0 for a value that no input
// has anything to do with, such as a constant or an index.
#pragma once

#include <cstdint>
#include <vector>

namespace course::device {

using Way = std::uint8_t;

namespace way {
inline constexpr Way direct = 1;      // loaded from an input, and handed over by nothing since
inline constexpr Way stored = 2;      // stored to shared memory by a thread
inline constexpr Way copied = 4;      // copied there asynchronously
inline constexpr Way shuffled = 8;    // shuffled
inline constexpr Way voted = 16;      // learnt from a vote, a match or a reduction of lanes
inline constexpr Way multiplied = 32; // made by a matrix instruction
inline constexpr Way global = 64;     // written to global memory by a kernel, and loaded again
} // namespace way

struct Job; // device.hpp

// A device that can follow data. It executes the job for that alone: slowly, and from a fresh
// state.
class Follower {
public:
  virtual ~Follower() = default;
  // Of each byte of each of the job's buffers, in order, after the last step that was executed.
  virtual std::vector<std::vector<Way>> follow(const Job&) = 0;
};

} // namespace course::device
