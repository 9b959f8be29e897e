// Which of the shapes that came out right are executed once more, in other orders of blocks, warps
// and lanes.
#pragma once

#include "judge/execution.hpp"
#include "lab/exercise.hpp"

#include <cstdint>

namespace course::lab {

struct Rerun {
  const Case* shape = nullptr;    // nullptr: there is none
  device::Job job;                // without inputs
  std::uint64_t blocks = 0;       // the most of a launch
  bool order_matters = false;     // its threads can tell who was first
  std::uint64_t instructions = 0; // that it takes
};

// The cheapest shape that has several blocks, or else several warps; and the cheapest that has so
// many blocks that they meet in most orders.
struct Reruns {
  Rerun few = {}, many = {};

  // `last`: what the job, without inputs, was last seen to do for this shape.
  void consider(const Case&, const device::Job&, const judge::Execution& last);
};

} // namespace course::lab
