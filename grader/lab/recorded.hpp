// The stage that calls the student's launcher for one shape: what it did on the host, and the job
// that it leaves to a device.
#pragma once

#include "lab/compiled_file.hpp"
#include "lab/placement.hpp"

#include <string>
#include <vector>

namespace course::lab {

struct HostCode {
  std::string printed;
  std::optional<judge::facts::NotFreed> not_freed;
  std::vector<runtime::CudaError> refused;
  std::vector<std::string> unsupported; // CUDA calls that could not be answered
  std::optional<judge::Check> launch;   // nothing where the launcher did not come back

  // What is said of both: of the later shape, but where that has nothing to say, as one without
  // elements has not. Refusals are said of all.
  void go_on_with(HostCode later);
};

struct Recorded {
  HostCode host;
  std::optional<device::Job> job; // without inputs; nothing where none is to be executed
  std::optional<Stop> stop;
  std::size_t steps_before = 0; // of the job's plan, that the call before it asked for
};

// `after_another`: the same process has called it before, with other floats as arguments.
Recorded recorded(const Grading&, const CompiledFile&, const Case&, const Placement&,
                  bool after_another = false);

} // namespace course::lab
