// What a check found, as facts. report/words makes sentences of them; nothing branches on those.
//
// Numbers that are held against a limit are in Check::measures, places in Check::place, and the
// shape of the execution in Check::shape. Here is the rest. Strings in facts are names of the
// student's or the author's own (a buffer, a call, an expression), or the words of a device.
#pragma once

#include "device/compiled_once.hpp"
#include "device/device.hpp"
#include "device/model/occupancy.hpp"
#include "device/way.hpp"
#include "judge/compare.hpp"
#include "judge/ended.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::judge {

// A buffer that was changed though it should not have been: `buffer` itself, an input, or the
// memory beside it.
struct Damage {
  enum class Where { within, before, after } where{};
  std::string buffer;
  std::uint64_t byte = 0;
};

// A launcher timed beside a peer: judge/time.hpp.
struct Timing {
  enum class Peer { solution, copy };
  struct Conditions {                                                     // of the GPU
    std::uint32_t clock_before = 0, clock_after = 0, other_processes = 0; // MHz
    std::vector<std::string> throttled; // reasons, as NVIDIA's library names them
    std::string unavailable;            // why none of it is known
  };
  struct Wrong { // after a timed run
    std::uint64_t wrong = 0, elements = 0;
  };
  struct NoLaunch { // of the student's file, or of the solution
    bool solution = false;
    Fault why;
  };
  struct TooFew {
    std::uint64_t pairs = 0;
  };

  Shape shape; // that was timed
  Peer peer = Peer::solution;
  double limit = 0;                // of student's time / peer's time, at most
  double seconds = 0, of_peer = 0; // medians
  double ratio = 0, low = 0, high = 0;
  std::uint64_t pairs = 0; // of runs
  double floor = 0;        // seconds in which memory can move the bytes; 0: unknown
  std::optional<Conditions> conditions;
  std::optional<Wrong> wrong;
  // Why there are no times, or worthless ones; the words of who timed them.
  std::variant<std::monostate, NoLaunch, TooFew, NotOnGpu, device::Message> invalid;

  bool is_valid() const { return std::holds_alternative<std::monostate>(invalid); }
};

namespace facts {

// ---- of a check that is not measured

enum class Missing {
  nothing_executed,
  kernel_ended,
  kernel_not_executed,
  memory_first,
  output_first,
  kernel_first,
  rest_first,
  launch_missing,
  no_global_memory,
  no_shared_memory,
  no_memory,
  way_not_followed,
  unknown_number,
  needs_gpu,
  needs_other_gpu, // than the one that is there; a note says why
  not_limited,
  no_solution, // in this copy, whose cost is the limit
  no_table,    // of what was measured, which would say what is right
};
struct NotMeasured {
  Missing why{};
  device::Message device; // kernel_not_executed: what the device says of it
};

// It passed, but its limit would rest on a count that is not known.
enum class Uncertain { shuffles, retries, accesses };
struct NotKnown {
  Uncertain what{};
};

// ---- the steps before anything is graded

struct Nothing {}; // to say: it was done, or not come to
struct Ended {     // the grading itself
  EndedBy how;
};
struct Launched {
  std::uint64_t launches = 0;
};
struct NothingLaunched {
  std::string function;
};
struct CallRefused {
  std::string call, error;
  device::Message why; // may be empty

  bool is_launch() const { return call.starts_with("cudaLaunch"); }
};
struct CopiedByHost {
  std::uint64_t bytes = 0;
};

// ---- right and wrong

struct KernelEnded {}; // by itself
struct CostsTooMuch {  // measures[0]: "instructions" or "requests"
  std::uint64_t elements = 0;
};
struct OutputRight {};
struct OutputWrong {
  std::string buffer;
  Comparison comparison;
};
struct Found { // by the memory checker, or how a kernel ended
  device::Finding finding;
};
struct Changed {
  Damage damage;
};
struct MemoryFine {};

// ---- counts

struct Sectors {       // measures: loaded, stored
  bool stores = false; // the one to speak of
  std::uint64_t requests = 0, of_solution = 0, elements = 0;
};
struct SharedTraffic { // measures: loads, stores
  std::uint64_t elements = 0, blocks = 0;
};
struct Conflicts { // measures: conflicts
  std::uint64_t all_requests = 0;
  std::uint64_t requests = 0, wavefronts = 0, ideal = 0; // of the lines with conflicts
  std::vector<std::uint32_t> lines;                      // sorted, each once
};
enum class Unit {
  threads,
  launches,
  bytes_a_block,
  barriers,
  instructions,
  shuffles,
  replays,
  requests,
  passes,
  conflicts,
};
struct Counted { // measures: one
  Unit unit{};
  std::uint64_t elements = 0;
};
struct ExactConflicts { // measures: conflicts
  std::string where;    // the author's words
};
struct Uses { // what was looked for: as parts of ways, each one of several, or counted
  std::vector<device::Way> parts;
  device::Way never = 0;
  std::vector<device::Used> counted, few; // at least, and at most, so often
  std::optional<device::Used> off;        // that which is not as it should be: measures[0]
};
struct Astray { // measures: elements_astray. Of how the first of them came
  enum class How { forbidden, not_through, from_nothing } how{};
  device::Way part = 0; // of the way: that is forbidden, or missing
  std::string buffer;
  std::uint64_t first = 0, elements = 0;
};

// ---- time, answers, occupancy

struct Timed {
  enum class Outcome { judged, too_close, invalid, wrong, too_fast } outcome{};
  Timing timing;
};
// What parts of an H200 need at least for what was counted, each by itself: judge/least_time.hpp.
struct LeastTime {
  double memory = 0, sectors = 0, passes = 0, instructions = 0; // seconds

  double most() const { return std::max({memory, sectors, passes, instructions}); }
};
struct Untimed { // what a known GPU took, for other files than this one
  Shape shape;   // that was timed there
  double of_solution = 0;
  struct Others { // that fail, or would
    std::vector<std::string> checks;
    double low = 0, high = 0;
  };
  std::vector<Others> others;
  std::optional<LeastTime> least; // of this file
  bool other_gpu = false;         // there is one, which does not execute it; else there is none
  std::string gpu = {};           // its model: "H200"
};
struct Answered { // questions with one right answer each, judged together
  std::vector<std::optional<std::uint64_t>> said; // nothing: not answered
  std::uint64_t right = 0, least = 0;             // of them, and how many should be
  bool measured = true;                           // by an H200; false: they follow from the task
  // The first that is larger than what the task asks for, which makes it none.
  struct TooLarge {
    std::size_t place = 0; // from 0
    std::uint64_t said = 0, most = 0;
  };
  std::optional<TooLarge> too_large = {};

  std::uint64_t missing() const {
    return static_cast<std::uint64_t>(std::ranges::count_if(said, [](auto one) { return !one; }));
  }
};
struct Occupied {                   // measures: one
  model::MultiprocessorLimits room; // on one of the GPU's multiprocessors
  std::uint64_t least = 0;
  bool warps = false;
  std::optional<model::OccupancyLimit> limit;                 // where it is too little
  std::uint64_t threads = 0, registers = 0, shared_bytes = 0; // of a block; registers per thread
};

// ---- beside the point, but worth a line each

struct NotFreed { // by host code
  std::uint64_t allocations = 0, bytes = 0;
};
struct Refused { // a call of host code, which went on
  std::string call, error;
  device::Message why; // may be empty
  bool operator==(const Refused&) const = default;
};
struct MoreRefused {
  std::uint64_t calls = 0;
};
struct Ignored { // a call that does nothing here
  std::string call;
};
struct Removed { // an array, by the compiler: no value needs it
  std::string name, kernel;
  std::uint32_t line = 0;
};
struct CountedOtherwise { // by the GPU than by the emulated device
  Shape shape;
  std::string first; // the first difference, in the words of who compared
};
struct NotByInstruction { // the GPU counted so
  std::string counted_by;
};
using judge::NotOnGpu;
struct FirstAnswers { // to the exercise's questions, by the student's own log
  std::string when;   // "2026-11-21"
  std::vector<std::uint64_t> said;
  std::optional<std::uint64_t> right; // known once the exercise is solved
};

} // namespace facts

using AnyNote = std::variant<facts::NotFreed, facts::Refused, facts::MoreRefused, facts::Ignored,
                             facts::Removed, facts::CountedOtherwise, facts::NotByInstruction,
                             facts::NotOnGpu, facts::FirstAnswers>;

using AnyFact =
    std::variant<facts::Nothing, facts::NotMeasured, facts::NotKnown, facts::Ended, facts::Launched,
                 facts::NothingLaunched, facts::CallRefused, facts::CopiedByHost,
                 facts::KernelEnded, facts::CostsTooMuch, facts::OutputRight, facts::OutputWrong,
                 facts::Found, facts::Changed, facts::MemoryFine, facts::Sectors,
                 facts::SharedTraffic, facts::Conflicts, facts::Counted, facts::ExactConflicts,
                 facts::Astray, facts::Uses, facts::Timed, facts::Untimed, facts::Answered,
                 facts::Occupied>;

using Note = CompiledOnce<AnyNote>;
using Facts = CompiledOnce<AnyFact>;

} // namespace course::judge

extern template struct course::CompiledOnce<course::judge::AnyNote>;
extern template struct course::CompiledOnce<course::judge::AnyFact>;
