// Device: where a plan of CUDA work is executed and observed.
//
// A plan is what a program's host code asked of CUDA, recorded by runtime/: uploads, launches,
// copies, in order, at fixed device addresses. A device executes a plan from a fresh state and says
// what came out: memory, counts per source line, findings of the memory checker. Two devices exist:
// the emulated H200 (device/emulator) and an NVIDIA GPU (device/gpu). Both return the same types.
#pragma once

#include "device/dim3.hpp"
#include "device/finding_kind.hpp"
#include "device/launch_totals.hpp"
#include "device/message.hpp"
#include "device/model/request_type.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace course::device {

using Bytes = std::vector<std::byte>;
using Address = std::uint64_t; // in device memory

// Device code as nvcc made it: one translation unit's PTX and the cubin of the same compilation.
struct Module {
  std::string ptx;
  Bytes cubin; // may be empty: then widths are those of the PTX, and lines are marked so
  // The student's own text, to name elements of arrays as it declares them. May be empty.
  std::string source = {};
};

// Steps of a plan. Addresses are absolute; sizes are bytes.
struct Allocate {
  Address address = 0;
  std::uint64_t size = 0;
  bool in_stream = false; // cudaMallocAsync: it is work of the stream in use
  Message named = {};     // how messages call it; empty: by its address
};
struct Free {
  Address address = 0;
  bool in_stream = false; // cudaFreeAsync
};
struct Fill { // cudaMemset
  Address address = 0;
  std::byte value{};
  std::uint64_t size = 0;
};
struct Copy { // device to device
  Address to = 0, from = 0;
  std::uint64_t size = 0;
};
struct Upload { // host to device
  Address to = 0;
  Bytes bytes;
};
struct SymbolUpload { // cudaMemcpyToSymbol
  std::uint32_t module = 0;
  std::string symbol; // as in the PTX
  std::uint64_t offset = 0;
  Bytes bytes;
};
// Eight bytes of a launch's arguments that are the address of a variable, or of a byte in it. Where
// a variable lies is known only to the device that executes the plan.
struct SymbolArgument {
  std::uint64_t at = 0; // of the arguments
  std::uint32_t module = 0;
  std::string symbol; // as in the PTX
  std::uint64_t offset = 0;
};
struct Launch {
  std::uint32_t module = 0;
  std::string kernel; // as in the PTX, mangled
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;    // bytes
  Bytes arguments;                     // laid out as the kernel's parameters in the PTX
  bool cooperative = false;            // all blocks at once, and this_grid().sync() holds
  Dim3 cluster = {0, 0, 0};            // blocks, as the launch asks for it; 0: as the kernel says
  std::vector<SymbolArgument> symbols; // of the arguments
};
// What a program's streams have to do with each other. Steps are done in the order of the plan all
// the same; who looks for races has to know which of them could have come in another.
struct StreamCall {
  enum class What : std::uint8_t {
    create_blocking,     // `stream`: waits for work of the default stream, and is waited for
    create_non_blocking, // does neither
    use,                 // the steps that follow are work of `stream`
    record,              // `event` is what `stream` has been given so far
    wait,                // `stream` waits for `event`
    host_waits,          // for all work of `stream`
    host_waits_event,
    host_waits_for_all,
    begins_early, // the next launch of `stream` may begin before the launch there before it has
                  // ended
  };
  What what{};
  std::uint32_t stream = 0; // 0: the default stream, which is always there
  std::uint32_t event = 0;
};
using AnyStep = std::variant<Allocate, Free, Fill, Copy, Upload, SymbolUpload, Launch, StreamCall>;
using Step = CompiledOnce<AnyStep>;

// Whole pages of memory that host code has as well.
struct TouchedPages {
  Address begin = 0, end = 0;
  bool changed = false;  // false: only read
  bool for_host = false; // some of it is for host code to look at meanwhile
};

struct Plan {
  std::vector<Step> steps;
};

// Device memory that exists before the first step, and is read back after the last.
struct Buffer {
  std::string name; // in messages: "out"
  Address address = 0;
  Bytes bytes;
  bool initialised = true; // false: reading an element before writing it is a finding
};

// What is kept beside counts when somebody wants to see more of an execution. The emulated device
// only; a GPU leaves the lists in the observation empty.
struct Watch {
  bool instructions = false; // executed, for each line

  // Requests of one warp at one line, as they come; none when the line is 0.
  std::uint32_t line = 0;
  std::string file; // as the compiler named it
  Dim3 block{0, 0, 0};
  std::uint32_t warp = 0;  // in its block
  std::size_t most = 1024; // that are kept; later ones are only counted
};

// In which order the emulated device executes blocks, and the warps of a block: nobody promises one
// on a GPU, so a right program is right in each. A GPU takes no notice.
struct Order {
  enum class Kind {
    by_index,
    drawn,     // blocks from the seed, warps by index
    backwards, // both, the last first
    // Nothing that the PTX ISA leaves open is as one would have it: blocks, warps and lanes are
    // preempted where order can be seen, waits come to nothing, copies are late, all by the seed.
    at_liberty,
  };
  Kind kind = Kind::by_index;
  std::uint64_t seed = 0;
};

// Everything a device needs to execute a plan once.
struct Job {
  std::vector<Module> modules;
  std::vector<Buffer> buffers;
  Plan plan;
  std::uint64_t instruction_budget =
      2'000'000'000; // warp-instructions; a kernel beyond it is ended
  Watch watch;
  Order order = {};
  // An acquire is what the PTX ISA calls one: `.acquire`, or a strong read before a fence of its
  // thread, or of who comes behind a barrier. Otherwise each strong read that finds what was
  // released counts as one, as textbooks write them. A GPU takes no notice.
  bool strict_acquires = false;
};

// One request as it happened, kept for the picture in a report.
struct RequestSample {
  Dim3 block;             // blockIdx of the warp
  std::uint32_t warp = 0; // in its block
  std::uint32_t active = 0;
  std::uint32_t width = 0;                // bytes a lane
  std::array<std::uint64_t, 32> offset{}; // shared: bytes from the window's start; global: address
};

// What one kind of access at one source line amounted to, over all launches of a kernel.
struct LineCounts {
  std::string kernel; // demangled, without parameters: "transpose_tile"
  std::string file;   // as the compiler named it
  std::uint32_t line = 0;
  model::RequestType kind;
#define COURSE_COUNT(member, word, leave_out, of) std::uint64_t member = 0;
#include "device/model/counts.def"
  std::array<std::uint64_t, 33> ways{}; // shared: requests that were n-way, by n
  // How far the counts are those of a GPU. Not from SASS: what ptxas made of this access is not
  // known for certain, and it is counted as the PTX has it. At least: a GPU tries again, depending
  // on when other warps come; or lanes of an atomic go to several other blocks, and it takes a few
  // sectors more (model/remote.hpp). Neither is a number that a limit may rest on. May fill: copies
  // of which lanes may fill up with zeros are counted by their rules; an H200's counters take some
  // of them for others, and not always the same ones (book/data/h200/README.md).
  bool width_from_sass = true;
  bool at_least = false;
  bool conflicts_at_least = false; // of these: lanes that try again may be in each other's way
  bool may_fill = false;
  RequestSample worst; // the request with the most conflicts (shared) or sectors (global)
  std::string array;   // shared: what `worst` touches, as declared; empty where it is not one array

  std::uint64_t conflicts() const {
    return wavefronts - ideal;
  }
  bool exact() const {
    return width_from_sass && !at_least && !may_fill;
  }
};

// A request that was watched.
struct WatchedRequest {
  std::uint32_t launch = 0; // in order of the plan
  std::string kernel;       // as in LineCounts
  model::RequestType kind;
  std::uint64_t bytes = 0; // of a bulk copy and a product, which no lanes make; 0: of others
  RequestSample request;
};

// Instructions that a source line cost, over all launches of a kernel.
struct LineInstructions {
  std::string kernel, file; // as in LineCounts
  std::uint32_t line = 0;
  std::uint64_t instructions = 0; // executed, a warp
};

// Totals of one launch, in order of the plan.
struct LaunchCounts : LaunchTotals {
  std::string kernel;
  Dim3 grid, block;
  std::uint64_t shared_bytes = 0; // static and dynamic, a block
  std::uint32_t registers = 0;    // a thread, from the cubin; 0 when unknown
};

// How the two accesses of a race meet.
enum class Meeting {
  in_any_order,    // at different times, of which none is promised to be first
  one_instruction, // of one warp: its lanes write different values to one place
  copy_in_flight,  // one is an asynchronous copy that nothing has waited for
  between_blocks,  // of one launch, at different times
  between_streams, // of two launches, or a launch and a copy, at different times
  with_host,       // of a launch and host code, which has not waited for it
};

struct Finding {
  FindingKind kind{};
  Meeting meeting{};  // of a race
  Message message;    // what, on which array and element
  std::string kernel; // demangled, without parameters
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t other_line = 0; // races: the line of the other access; 0 when there is none
  std::vector<std::uint32_t> called_from; // lines in `file` of the calls that led here, inner first
  Dim3 block, thread;                     // of the first lane concerned
  std::uint64_t count = 1;                // how often this line had this finding
  bool fatal = false;                     // the kernel was ended here
  bool survived = false; // an access that may not be, and that a GPU lets pass all the same
};

struct Observation {
  enum class Status {
    completed,
    failed,      // a fatal finding ended it; later steps were not executed
    unsupported, // the device cannot execute this code: `reason` names the instruction and the line
  };
  Status status = Status::completed;
  Message reason;             // when not completed
  std::vector<Bytes> buffers; // contents after the last step, in the job's order
  std::vector<LineCounts> lines;
  std::vector<LaunchCounts> launches;
  std::vector<Finding> findings;
  std::string printed; // what kernels printed, capped
  // A kernel has accesses by which threads can tell who was first: another order may end otherwise.
  bool order_matters = false;

  // As the job's watch asked for.
  std::vector<LineInstructions> instructions;
  std::vector<WatchedRequest> watched;
  std::uint64_t watched_in_all = 0; // those that were not kept included

  // The way the counts were taken, where a device has more than one, or why there are none.
  std::string counted_by;
};

class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0; // "emulated H200"
  virtual Observation execute(const Job&) = 0;
};

} // namespace course::device

extern template struct course::CompiledOnce<course::device::AnyStep>;
