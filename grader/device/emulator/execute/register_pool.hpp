// setmaxnreg: warps of a block hand registers to each other.
//
// A block has as many registers as its launch allots, those of its kernel's machine code for each
// thread, in steps of 8. `dec` gives some of a warp's to the block, `inc` takes them, and waits
// until there are so many. So it was on an H200 (book/data/h200/hopper_limits.csv): what the
// multiprocessor has left does not help, nor what belongs to warps that have ended. How registers
// go to several that wait was not measured. Here a warpgroup gets its share at once or not at all,
// so that two that take turns never have half of it each.
//
// Without a cubin, or where ptxas left the instruction out, it does nothing.
#pragma once

#include <cstdint>

namespace course::emulator {

struct Operation;
struct Warp;

struct RegisterPool {
  std::uint32_t free = 0;   // given back, and not taken: registers of a thread, of one warp
  std::uint32_t parked = 0; // splits that wait
};

// Operation: `immediate` registers a thread are kept.
void give_registers_back(Warp&, const Operation&, std::uint32_t mask);

} // namespace course::emulator
