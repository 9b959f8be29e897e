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
  std::vector<std::size_t> ends; // in the job's plan, of calls before
};

// `asked`: the call for this shape, with those before it.
Recorded recorded(const Grading&, const CompiledFile&, const Case&, const runtime::Call& asked);

} // namespace course::lab
