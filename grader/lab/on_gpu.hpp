// What a GPU adds to a grading that the emulated device has found right: measured outputs and
// counts of the same executions, and times.
//
// Memory stays with the emulated device, which sees every access. Both devices run every execution;
// the outputs of both have to be right, and where their counts are not the same, what was measured
// counts, and a note says so.
#pragma once

#include "build/compile.hpp"
#include "device/gpu/gpu.hpp"
#include "judge/execution.hpp"
#include "judge/time.hpp"
#include "lab/exercise.hpp"
#include "runtime/recording.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace course::lab {

// Gives a case the reference that is a file: by_file.hpp. Does nothing where there is none.
using GiveReference = std::function<void(Case&)>;

// tools.hpp makes the real ones; a test stages them.
struct GpuTools {
  std::string name; // "NVIDIA H200"
  // Where it is not of the compute capability that is emulated, the GPU counts nothing, as the
  // rules it serves accesses by are not known here; outputs and time are measured on it.
  gpu::Ability ability{"", gpu::emulated_capability(), 0, 0};
  // Whether a file that this GPU cannot execute, and the solution it can, is graded all the same,
  // without time. Not where points count: nobody shall be without a time by his own choice.
  bool grades_without_time = true;
  // Counted; called from as many threads at once as `at_once`.
  std::function<device::Observation(const device::Job&)> count;
  // Not counted, one after another.
  std::function<std::vector<device::Observation>(const std::vector<device::Job>&)> execute;
  std::function<gpu::TimedPair(const gpu::TimedWork&, const gpu::TimingOptions&)> time;
  unsigned at_once = 8;
};

// An execution to be done again: the job has modules and plan, no buffers yet.
struct Replay {
  const Case* shape = nullptr;
  Flavour flavour{};
  device::Job job;
};

struct Measured {
  device::Message refused;     // why the GPU executed nothing: then the executions are as they were
  bool by_instruction = false; // the GPU counted; else the emulated device's counts hold
  std::string not_counted;     // why
  std::vector<judge::facts::CountedOtherwise> notes; // where the devices differ
};

// One replay for each execution, in order. The first flavour of each shape is counted, as counts
// rarely depend on values; the others are executed for their outputs.
Measured measure(const std::vector<Replay>&, std::vector<judge::Execution>&, const GpuTools&);

// Compiles and records a launcher for one shape: job.hpp.
using MakePlan = std::function<std::variant<device::Job, judge::Fault>(
    const std::filesystem::path& source, const Case&)>;

// What a timed launcher works on, for `exercise.time`: its shape, its inputs as they are before
// they vary from run to run, and as they are in the last run, whose output is looked at here, with
// the answer. It is large, and can be made while something else is measured.
struct TimedInputs {
  Case shape;
  std::uint64_t seed = 0;
  std::vector<Floats> inputs; // by operand; outputs are empty
  std::vector<Floats> varied; // by `seed`
  Floats expected;            // of `varied`
  std::vector<gpu::TimedBuffer> buffers;
};
TimedInputs timed_inputs(const Exercise&, std::uint64_t seed, const GiveReference&);

// Times the student's job for `exercise.time` against its peer; measured again with more runs when
// it is too close to call.
judge::Timing time_launcher(const Exercise&, const std::filesystem::path& student, TimedInputs,
                            const MakePlan&, const GpuTools&);

} // namespace course::lab
