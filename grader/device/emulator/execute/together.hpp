// Two launches of which nothing says that one is first, at the same time.
//
// Each has been executed by itself before, one behind the other, where all is checked; plain
// accesses of both to one word are a race then (stream_races.hpp). What their strong accesses and
// atomics find and leave depends on who comes first: memory is put back, and their blocks are
// executed by turns.
#pragma once

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/execute/grid.hpp"
#include "device/emulator/state/launch.hpp"

namespace course::emulator {

// One that has been executed, and may be again.
struct PastLaunch {
  Launch launch;
  device::Bytes arguments;
  StreamOrder::Work work;
  Undo undo;
};

// Whether the two can be: what is said of work that nothing orders is their caller's to know.
bool can_be_together(const PastLaunch& first, const PastLaunch& second);

// The later of the two was the last thing done. How they take turns is drawn: both step by step;
// the first until it is stopped once, or now and then; or the other one before it. `pair` counts
// those of a program: whoever takes all manners in turns has either order of each.
GridResult run_together(PastLaunch& first, PastLaunch& second, std::uint64_t pair, Cores&);

} // namespace course::emulator
