// The stage that executes the student's kernels: each shape, for each flavour of inputs, with
// blocks in an order of the seed. The first shape that goes wrong is the last.
#pragma once

#include "lab/on_gpu.hpp"
#include "lab/recorded.hpp"
#include "lab/reruns.hpp"

#include <optional>
#include <vector>

namespace course::lab {

struct Executed {
  std::vector<judge::Execution> executions;
  std::vector<Replay> replays; // of them, where there is a GPU
  HostCode host;
  Reruns reruns; // of what is right
  std::optional<judge::Shape>
      unordered_shape; // wrong in this order of blocks, and right in another
  std::optional<Stop> stop;
  bool is_right = true;
};

// Shapes of `cases` are pointed to by what comes back.
Executed executed(const Grading&, const std::vector<Case>& cases, const CompiledFile&);

} // namespace course::lab
