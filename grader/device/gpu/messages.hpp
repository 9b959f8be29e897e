// What the grader asks of a GPU worker, and what the worker answers.
//
// A worker serves one command after another until its channel closes. It is told inputs and plans,
// never an expected output. Each command has one answer; `Refused` may take the place of any.
#pragma once

#include "device/device.hpp"
#include "device/gpu/memory_map.hpp"
#include "device/gpu/wire.hpp"

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
};

// Executes the job once from a fresh state. Counts one launch: CUPTI collects a single kernel a
// process.
struct Execute {
  device::Job job;
  Counting counting = Counting::none;
  std::uint32_t counted_launch = 0; // index among the plan's launches
  bool to_the_end = true;           // false: stop after the counted launch, return no buffers
};

// Two jobs on the same buffers, made ready to be timed one after the other.
struct OpenTiming {
  device::Job student, solution; // without their buffers
  std::vector<Region> buffers;
  std::vector<std::vector<device::Bytes>> inputs; // sets of buffer contents; each in their order
};
enum class Side : std::uint8_t { student, solution };
struct Prepare { // inputs restored, outputs poisoned, module loaded anew
  Side side{};
  std::uint32_t input = 0;
};
struct RunTimed {};                 // flushes L2 and runs the prepared side between two events
struct ReadBuffers {                // of the side that ran last
  std::vector<std::uint32_t> which; // indices; others come back empty. None named: all
};
struct MeasureCopyRate {}; // device to device
struct Describe {};

using Command =
    std::variant<Execute, OpenTiming, Prepare, RunTimed, ReadBuffers, MeasureCopyRate, Describe>;

// ---- answers

// One SASS instruction's counts over the counted launch.
struct InstructionCounts {
  std::string kernel; // mangled
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t pc = 0; // bytes from the kernel's start
  std::string access;   // see SourceMap; the worker leaves it empty where it counts instructions
  std::uint32_t ptx_line = 0; // 1-based; 0: unknown, as the worker leaves it
  std::uint64_t executed = 0; // by warps, those without an active lane included
  std::uint64_t wavefronts = 0, ideal = 0, sectors = 0;
};

struct Executed {
  device::Observation::Status status{};
  std::string reason;
  std::vector<device::Finding> findings;
  std::vector<device::Bytes> buffers;          // empty when not completed or not asked for
  std::vector<device::LaunchCounts> launches;  // those executed; counts only of the counted one
  std::vector<InstructionCounts> instructions; // those that ran, of the counted launch
  device::Bytes image;     // the machine code of the counted launch, an ELF image
  std::string counted_by;  // "CUPTI SASS metrics"; empty when nothing was counted
  std::string not_counted; // why not, when counting was asked for
};

struct Done {};
struct Seconds {
  double value = 0;
};
struct BytesPerSecond {
  double value = 0;
};
struct Buffers {
  std::vector<device::Bytes> contents;
};
struct Description {
  std::string gpu; // "NVIDIA H200"
  std::int32_t major = 0, minor = 0;
  std::int32_t driver = 0; // 13000 for CUDA 13.0
  std::int32_t multiprocessors = 0;
  std::uint64_t memory = 0, l2 = 0; // bytes
  std::string pci;                  // "0000:19:00.0"
  std::string cupti;                // path of the library; empty when not found
  std::string counters;             // empty when they work; else why not
};
struct Refused {
  std::string reason;
};

using Answer = std::variant<Executed, Done, Seconds, BytesPerSecond, Buffers, Description, Refused>;

device::Bytes encode(const Command&);
// An OpenTiming of these: inputs are large, and are copied once here. The jobs' buffers are left
// out.
device::Bytes encode_opening(const device::Job& student, const device::Job& solution,
                             const std::vector<Region>& buffers,
                             const std::vector<std::vector<device::Bytes>>& inputs);
device::Bytes encode(const Answer&);

// Nothing when malformed. `expansion` bounds the bytes that repeated blocks (wire.hpp) grow to: a
// worker that a student's code broke may answer with a few bytes that claim to be gigabytes.
std::optional<Command> decode_command(std::span<const std::byte>,
                                      std::uint64_t expansion = 1ull << 36);
std::optional<Answer> decode_answer(std::span<const std::byte>,
                                    std::uint64_t expansion = 1ull << 32);

} // namespace course::gpu
