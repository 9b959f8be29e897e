// How fast parts of a GPU are at the most: what no kernel goes beyond, whatever it does.
#pragma once

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

} // namespace course::model
