// `course run --orders`: a program once more in each of several orders that the standard leaves
// open, and what came otherwise.
#pragma once

#include "device/emulator/emulator.hpp"
#include "report/launches/launches.hpp"
#include "runtime/live_program.hpp"
#include "system/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace course::cli {

// The order of this number, from 1.
device::Order drawn_order(std::uint64_t number);

struct FirstTime {
  const runtime::LiveRun& run;
  const device::Live& device;
  int exit_code = 0;
  const std::string& printed;
  std::int64_t input_began = -1; // where its input is a file: from there on
};

// The program once more, each time in another order.
class OtherRuns {
public:
  OtherRuns(const FirstTime&, runtime::LiveProgram, emulator::Options, runtime::Stop&);
  OtherRuns(const OtherRuns&) = delete; // standard input is where it was when it ends
  OtherRuns& operator=(const OtherRuns&) = delete;
  ~OtherRuns();

  struct Run {
    report::OtherOrder order; // without its name
    bool came_otherwise = false, over_budget = false;
  };
  // Nothing: it was stopped, or not started.
  std::optional<Run> run(const device::Order&, emulator::Exploration*);

private:
  bool reads_again() const { return first_.input_began >= 0 && input_ended_ >= 0; }

  const FirstTime& first_;
  runtime::LiveProgram program_;
  emulator::Options how_;
  runtime::Stop& stop_;
  system::Descriptor nothing_;
  std::int64_t input_ended_;
};

// Orders 1 to `asked`, where threads can tell who was first. What the program prints then is
// compared and not shown; it reads what the first time read, or nothing where that cannot be read
// again. Ends before them all where it is stopped.
report::OtherOrders run_in_other_orders(std::uint64_t asked, const FirstTime& first,
                                        runtime::LiveProgram program, emulator::Options how,
                                        runtime::Stop& stop);

} // namespace course::cli
