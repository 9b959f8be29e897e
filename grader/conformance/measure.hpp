// Measures every file of the course on a GPU, for the committed table.
#pragma once

#include "conformance/exercises.hpp"

#include <string>
#include <vector>

namespace course::conformance {

struct Measurement {
  Subject subject;
  std::string digest;
  Counted counted;
};

// From a few threads: each subject is compiled, recorded, executed on the emulated device, and,
// where that one completed it, on the GPU. In the subjects' order. What the emulated device ends
// (out of bounds, without end) has no counts.
std::vector<Measurement> measure(const std::vector<Subject>&, const lab::Tools&);

} // namespace course::conformance
