// The GPU device: executes, counts and times plans on an NVIDIA GPU, in worker processes.
//
// This process never loads NVIDIA's driver: course_gpu_worker does, one process a measurement, and
// is ended when it does not answer. So a kernel without end, or one that breaks its context, costs
// a worker and nothing else.
#pragma once

#include "device/device.hpp"
#include "device/gpu/nvml.hpp"
#include "device/gpu/timing.hpp"
#include "device/model/known_gpus.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

struct Options {
  std::filesystem::path worker; // the executable; empty: course_gpu_worker beside this program
  std::chrono::milliseconds limit{10'000}; // of one execution, start and transfers included
  bool count = true;
  bool totals_only = false;      // of each launch, by the range profiler, not by instruction
  bool join_atomic_loops = true; // see fold.hpp
  std::uint32_t most_counted_launches = 64;
  std::uint32_t workers_at_once = 4;
};

// The device, or one sentence why there is none here: no worker built, no driver, no GPU.
//
// Its observations differ from the emulated device's in this: `findings` hold what stopped a kernel
// and what it wrote around its buffers, without a source line, and no races or uninitialised reads;
// `requests` counts instructions executed, those whose lanes are all switched off included; `ways`,
// `worst` and `replays` are empty; of other blocks' shared memory lines have `requests` alone, and
// a row of line 0 has sectors, lines and bytes of the launch; after a failure `buffers` is empty.
// `counted_by` names the way the counts were taken, or says why there are none.
std::variant<std::unique_ptr<device::Device>, std::string> make_device(const Options& = {});

// 90 for 9.0: of the GPU that is emulated.
inline int emulated_capability() {
  return static_cast<int>(model::default_gpu().compute_capability);
}

// What bounds the kernels that a GPU can execute.
struct Ability {
  std::string gpu;                  // "Tesla T4"
  int capability = 0;               // 75 for 7.5
  std::uint64_t shared_a_block = 0; // bytes that a block may ask for
  std::uint64_t memory = 0;         // bytes

  // The rules that the emulated device counts by are those of 9.0, as measured on an H200, and
  // machine code is made for it.
  bool is_as_emulated() const { return capability == emulated_capability(); }
};
// The oldest that CUDA 13 compiles for.
inline constexpr int kOldest = 75;

// Or one sentence why there is no GPU.
std::variant<Ability, std::string> ability(const Options& = {});

// `Observation::counted_by` where each instruction was counted, and so each source line is.
inline constexpr const char* kCountedByInstruction = "CUPTI SASS metrics";

inline bool counted_by_instruction(const device::Observation& seen) {
  return seen.counted_by == kCountedByInstruction;
}

// Whether the kernels were stopped, as they did not end within the limit.
bool has_no_end(const device::Observation&);
// What stands for an execution that is left out, as another of the same kernels did not end.
device::Observation not_executed();

// Executes jobs one after another without counting, in one worker process; one that breaks it costs
// a new one. An observation for each job, in order; after one that did not end within the limit,
// the others are not executed, as they would cost the limit each, and say so.
std::vector<device::Observation> execute_in_turn(const std::vector<device::Job>&,
                                                 const Options& = {});

struct TimedPair {
  Timed times;                 // its output is to be checked: a wrong answer has no time
  double bytes_per_second = 0; // measured: a device-to-device copy, reads and writes
  double floor = 0;            // seconds; 0: no bytes were given
  bool below_floor = false;    // the student's median is below it: a failed check, not a win
  Conditions before, after;    // the GPU's state
};

// Times the student's job against its peer: from the first launch of a plan to its last, or its
// copies where it launches nothing.
TimedPair time_pair(const TimedWork&, const TimingOptions& = {}, const Options& = {});

// For ./course doctor: what there is and what is missing, each with its remedy.
struct GpuStatus {
  int capability() const { return 10 * major + minor; }

  bool usable = false;
  std::string reason;               // why not usable
  std::string gpu;                  // "NVIDIA H200"
  int major = 0, minor = 0;         // compute capability
  std::uint64_t shared_a_block = 0; // bytes
  std::string driver;               // the CUDA version it serves: "13.0"
  std::uint64_t memory = 0, l2 = 0; // bytes
  std::string cupti;                // path; empty when not found
  std::string counters; // empty when a built-in kernel was counted right; else why not, and what to
                        // do
  Conditions conditions;
};
GpuStatus status(const Options& = {});

} // namespace course::gpu
