// All that the stages of one grading found: what it is judged by.
#pragma once

#include "lab/grading.hpp"
#include "lab/recorded.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

struct Evidence {
  std::optional<Stop> stop;
  std::vector<std::string> unlimited; // checks whose limits are not known here
  std::string warnings;               // nvcc's, of the student's file
  device::Module code;                // with its source
  HostCode host;
  std::vector<judge::Execution> executions;
  // Right in one order of blocks, and wrong in another.
  std::optional<judge::Shape> unordered_shape;
  judge::Means means;
  std::vector<judge::Note> notes;        // of a GPU
  std::optional<judge::Check> time;      // where it was measured
  std::optional<judge::NotOnGpu> lacked; // by the GPU
};

} // namespace course::lab
