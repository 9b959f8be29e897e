// The stage on a GPU: executes, counts and times what the emulated device has found right.
#pragma once

#include "lab/grading.hpp"
#include "lab/on_gpu.hpp"

#include <optional>
#include <vector>

namespace course::lab {

struct OnGpu {
  std::vector<judge::Execution> executions; // as the GPU counted them and what it put out
  judge::Means means;                       // what was used, in the end
  std::vector<judge::Note> notes;
  std::optional<judge::Check> time;      // where it was measured
  std::optional<judge::NotOnGpu> lacked; // why it was not, where the rest is judged all the same
  std::optional<Stop> stop;
};

// `executions` of the replays, in order.
OnGpu measured_on_gpu(const Grading&, const GiveReference&, const std::vector<Replay>&,
                      std::vector<judge::Execution> executions);

} // namespace course::lab
