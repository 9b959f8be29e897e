// A CUDA program that nobody vouches for, run in the sandbox with the emulated device in place of a
// GPU: as live_program.hpp, but that nothing of this machine is there for it, and all of it ends.
#pragma once

#include "runtime/live_program.hpp"
#include "sandbox/process.hpp"

#include <chrono>
#include <cstdint>

namespace course::runtime {

struct ContainedProgram {
  std::filesystem::path file;
  std::vector<std::string> arguments; // behind its name
  std::filesystem::path runtime;      // the folder with our libcudart.so.13
  std::string source = {};            // of its device code, where it is known: for names
  sandbox::Limits limits = {};        // of its host code, but for the wall's clock
  std::uint64_t memory = 0;           // bytes of device memory at one time
  std::chrono::steady_clock::time_point deadline; // for all of it
};

struct ContainedRun {
  LiveRun live;             // `stopped` by the deadline, or by a limit of the sandbox
  sandbox::Outcome outcome; // of its host code
  bool too_late = false;    // the deadline ended it
};

// Runs it to its end, or until a limit ends it. A launch at work at the deadline ends with what it
// has executed.
ContainedRun run_contained(const ContainedProgram&, device::Live&);

} // namespace course::runtime
