// What a program's launches amounted to: `course run`'s table, and the same as JSON.
#pragma once

#include "device/emulator/explore/exploration.hpp"
#include "device/live.hpp"
#include "device/removed.hpp"
#include "report/text.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace course::report {

struct CallError {
  std::string call, error; // "cudaMemcpy", "cudaErrorInvalidValue"
  device::Message why;     // may be empty
};

// What else is known of a run, and worth a sentence (run_words.cpp).
struct RunFacts {
  bool read_times = false;   // it asked how long kernels took
  std::uint64_t unseen = 0;  // bytes that kernels printed and that the program did not wait for
  std::size_t not_freed = 0; // allocations that it left behind
  std::uint64_t bytes_not_freed = 0;             // of them all
  std::vector<device::RemovedArray> removed;     // shared arrays that the compiler took out
  std::map<std::string, std::uint64_t> computed; // a library's calls, on the host, and how often
  std::uint64_t known = 0; // launches that were not executed (device::Live::known_launches)
  bool no_calls = false;   // its CUDA calls did not come here
  std::string fault;       // why calls were no longer answered
};

// A program that came otherwise than the first time, in an order that the standard leaves open.
struct OtherOrder {
  std::uint64_t number = 0;                 // which repeats it
  std::string choices;                      // that repeat it, where all orders were tried
  std::vector<emulator::OrderEvent> events; // of that one: what its threads did to each other
  std::vector<device::Finding> findings;    // errors that the first time has not
  std::optional<int> exit_code;             // another one
  // The first line that it printed otherwise; both empty: it printed the same.
  std::string printed, printed_first;
};

// Of `course run --orders all`.
struct AllOrders {
  std::uint64_t orders = 0; // of all launches, that differ
  struct Left {             // not all of a launch's were tried
    std::string kernel;
    emulator::Exploration::WhyNot why{};
  };
  std::vector<Left> left;
  bool too_many_ends = false; // launches ended in more ways than the program was continued from

  bool complete() const { return left.empty() && !too_many_ends; }
};

// What `course run --orders` executed after the first time.
struct OtherOrders {
  std::uint64_t asked = 0, executed = 0;
  std::vector<OtherOrder> otherwise;
  std::vector<std::uint64_t> undecided; // were ended, as they took many times the instructions
  std::optional<AllOrders> all = {};    // then `executed` says how often the program was started
};

struct LaunchReport {
  std::string program;                        // as it was typed
  std::string device;                         // "emulated H200"
  const model::Architecture* banks = nullptr; // whose rules it was counted by: has to be given
  int exit_code = 0;
  std::string stopped_by;  // "Ctrl-C", "--limit 60s"; empty when it came to its end
  bool checked = true;     // races and reads of what nothing has written were looked for
  bool compiled = false;   // the course called nvcc for it
  double seconds = 0;      // that it took; 0: nobody knows
  std::uint64_t order = 0; // drawn, in which it was executed; 0: the device's own
  std::string choices;     // by which its threads went on, where they were typed
  std::optional<OtherOrders> orders;
  std::vector<device::LaunchSum> launches;
  std::vector<device::OneLaunch> each_launch; // by itself, in the order they came
  std::vector<device::Finding> findings;
  std::vector<CallError> errors;
  std::vector<std::string> unsupported; // calls by name
  RunFacts run;
};

// The sentences about a run, and about its other orders.
std::vector<std::string> run_words(const RunFacts&);
std::vector<std::string> order_words(const OtherOrders&);

// Blocks that a sample left out, of all launches.
inline std::uint64_t left_out(const LaunchReport& report) {
  std::uint64_t blocks = 0;
  for (const auto& launch : report.launches) blocks += launch.left_out;
  return blocks;
}

// A program has no budget of instructions: only a run that was stopped ends a kernel so.
inline bool is_where_it_stopped(const device::Finding& finding) {
  return finding.kind == device::FindingKind::budget;
}

// What of a report is shown as text.
struct Shown {
  std::string kernel = {};  // those with this in their names; empty: all
  bool each_launch = false; // a row for each launch in the place of rows for lines
};

// A summary, findings and errors, every launch with a row for each line and kind of access, and
// notes. Of more than a handful of launches, all have a row, and the worst are shown whole.
std::string launch_text(const LaunchReport&, const Terminal&, const Shown& = {});

// As run.schema.json says: launches[] and findings[], with lines as in a verdict
// (verdict.schema.json), and each_launch[]. Of a sample `sample`, and each launch of which blocks
// were left out, has blocks and blocks_executed. `order` is the drawn one that was executed,
// `orders` those that were beside it.
nlohmann::ordered_json launch_json(const LaunchReport&);

} // namespace course::report
