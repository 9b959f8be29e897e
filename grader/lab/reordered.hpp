// The stage that executes a shape again in other orders of blocks, warps and lanes, where all were
// right in the device's own.
#pragma once

#include "lab/executed.hpp"

#include <optional>
#include <vector>

namespace course::lab {

// Only what is wrong in such an order.
struct Reordered {
  std::vector<judge::Execution> executions;
  std::vector<Replay> replays; // of them, where there is a GPU
  std::optional<judge::Shape> unordered_shape;

  bool is_right() const { return !unordered_shape; }
};

// Nothing where something was found already.
Reordered reordered(const Grading&, const Executed&);

} // namespace course::lab
