// What the grader asks of a GPU worker, and what the worker answers.
//
// A worker serves one command after another until its channel closes. It is told inputs and plans,
// never an expected output. Each command has one answer; `Refused` may take the place of any.
#pragma once

#include "device/device.hpp"
#include "device/gpu/timed_work.hpp"
#include "device/gpu/worker_wire.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

// ---- commands

enum class Counting : std::uint8_t {
  none,
  per_instruction, // CUPTI's SASS metrics
  totals,          // CUPTI's range profiler: one number a launch
  remote_totals,   // the same of other blocks' shared memory: sectors, lines, bytes
};

// Executes the job once from a fresh state. Counts one launch: CUPTI collects a single kernel a
// process.
struct Execute {
  device::Job job;
  Counting counting = Counting::none;
  std::uint32_t counted_launch = 0; // index among the plan's launches
  bool to_the_end = true;           // false: stop after the counted launch, return no buffers
  std::uint32_t first_total = 0;    // of remote_totals: a process counts what one pass can
};

// Jobs on the same buffers, made ready to be timed one after the other.
struct OpenTiming {
  TimedWork work;
};
struct Prepare { // inputs restored and varied, outputs poisoned, module loaded anew
  Side side{};
  std::uint64_t seed = 0; // of the variation
};
struct RunTimed {}; // flushes L2 and runs the prepared side between two events
// The student's last output with the solution's, which is run now where it was not the last to run:
// a right output never lies anywhere while a student's kernel runs.
struct CompareOutputs {
  std::uint64_t seed = 0; // of the variation
};
struct ReadOutput {};      // of the student's last run
struct MeasureCopyRate {}; // device to device
struct Describe {};

using Command = std::variant<Execute, OpenTiming, Prepare, RunTimed, CompareOutputs, ReadOutput,
                             MeasureCopyRate, Describe>;

// ---- answers

// What no bank serves, of one instruction: how often it was executed as each of these. Copies are
// those of a tile, which one lane asks for.
struct BeyondBanks {
  std::uint64_t remote = 0; // to another block's shared memory: all of the next four, and loads
  std::uint64_t remote_stores = 0, remote_atomics = 0, remote_async = 0, remote_copies = 0;
  std::uint64_t copies = 0, copies_in = 0, copies_out = 0; // in: from global to shared memory
  std::uint64_t products = 0;                              // wgmma, by each of its four warps

  bool any() const { return remote + copies + products > 0; }
};

// One SASS instruction's counts over the counted launch.
struct InstructionCounts {
  std::string kernel; // mangled
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t pc = 0; // bytes from the kernel's start
  // See SourceMap; the worker leaves it where it counts instructions.
  enum class Does : std::uint8_t { other, access, barrier, shuffle } does = Does::other;
  model::RequestType kind;    // of an access
  std::uint32_t ptx_line = 0; // 1-based; 0: unknown, as the worker leaves it
  std::uint64_t executed = 0; // by warps, those without an active lane included
  std::uint64_t wavefronts = 0, ideal = 0, sectors = 0;
  BeyondBanks beyond;
  std::uint64_t remote_lines = 0, bytes = 0; // as in device::LineCounts
};

struct Executed {
  device::Observation::Status status{};
  std::string reason; // the driver's
  std::vector<device::Finding> findings;
  std::vector<device::Bytes> buffers;          // empty when not completed or not asked for
  std::vector<device::LaunchCounts> launches;  // those executed; counts only of the counted one
  std::vector<InstructionCounts> instructions; // those that ran, of the counted launch
  device::Bytes image;          // the machine code of the counted launch, an ELF image
  std::string counted_by;       // "CUPTI SASS metrics"; empty when nothing was counted
  std::string not_counted;      // why not, when counting was asked for
  std::uint32_t next_total = 0; // of remote_totals: the first that is still to be counted; 0: none
};

struct Done {};
struct Seconds {
  double value = 0;
};
struct BytesPerSecond {
  double value = 0;
};
struct Output {
  device::Bytes bytes;
};
struct Description {
  std::string gpu; // "NVIDIA H200"
  std::int32_t major = 0, minor = 0;
  std::int32_t driver = 0; // 13000 for CUDA 13.0
  std::int32_t multiprocessors = 0;
  std::uint64_t memory = 0, l2 = 0; // bytes
  std::uint64_t shared_a_block = 0; // bytes of shared memory that a block may ask for
  std::string pci;                  // "0000:19:00.0"
  std::string cupti;                // path of the library; empty when not found
  std::string counters;             // empty when they work; else why not
};
struct Refused {
  std::string reason;
};

using Answer =
    std::variant<Executed, Done, Seconds, BytesPerSecond, Different, Output, Description, Refused>;

device::Bytes encode(const Command&);
// An OpenTiming of this: inputs are large, and are copied once here.
device::Bytes encode_opening(const TimedWork&);
device::Bytes encode(const Answer&);

// Nothing when malformed. `expansion` bounds the bytes that repeated blocks (wire.hpp) grow to: a
// worker that a student's code broke may answer with a few bytes that claim to be gigabytes.
std::optional<Command> decode_command(std::span<const std::byte>,
                                      std::uint64_t expansion = 1ull << 36);
std::optional<Answer> decode_answer(std::span<const std::byte>,
                                    std::uint64_t expansion = 1ull << 32);

} // namespace course::gpu
