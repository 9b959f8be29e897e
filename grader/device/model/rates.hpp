// How fast parts of an H200 are at the most: what no kernel goes beyond, whatever it does.
#pragma once

#include "device/model/architecture.hpp"

namespace course::model {

// Of each multiprocessor, in a cycle, but for `memory`.
struct Rates {
  double cycles_a_second = 0, multiprocessors = 0;
  double instructions = 0;   // of warps: one for each of its four schedulers
  double passes = 0;         // of shared memory
  double loaded_sectors = 0; // from the first-level cache: a line of 128 bytes
  double stored_sectors = 0; // to the second-level cache, since every store goes there
  double memory = 0;         // bytes a second of the whole device, from and to its memory
};

// Measured (book/data/h200): clocks left alone; shared_atomics.csv and cycles.csv have passes
// of 1.00 cycles; a sum of 2^28 ints reads 4.46 TB/s (bench.json), faster than any copy; stores of
// 16 bytes a lane by all multiprocessors, each to its own part of what the second-level cache
// holds, came to 17.9 bytes a cycle.
inline constexpr Rates kRatesOfH200 = {.cycles_a_second = 1.98e9,
                                       .multiprocessors = kH200.multiprocessors,
                                       .instructions = 4,
                                       .passes = 1,
                                       .loaded_sectors = 4,
                                       .stored_sectors = 17.9 / 32,
                                       .memory = 4.46e12};

} // namespace course::model
