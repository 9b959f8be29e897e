// `course run --orders`: a program once more in each of several orders that the standard leaves
// open, and what came otherwise.
#pragma once

#include "device/emulator/emulator.hpp"
#include "report/launches/launches.hpp"
#include "runtime/live_program.hpp"

#include <cstdint>
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

// Orders 1 to `asked`, where threads can tell who was first. What the program prints then is
// compared and not shown; it reads what the first time read, or nothing where that cannot be read
// again. Ends before them all where it is stopped.
report::OtherOrders run_in_other_orders(std::uint64_t asked, const FirstTime& first,
                                        runtime::LiveProgram program, emulator::Options how,
                                        runtime::Stop& stop);

} // namespace course::cli
