// What threads know to have happened before: vector clocks, as check/order.hpp keeps them.
#pragma once

#include "device/emulator/state/access_record.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace course::emulator {

// Of one block: accesses with a stamp below these are known.
struct Knowledge {
  std::uint32_t all = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> warps;   // number, stamp; sorted
  std::vector<std::pair<std::uint32_t, std::uint32_t>> threads; // of 32 * warp + lane

  bool covers(Record) const; // whose lane is one
  void add(const Knowledge&);
  bool lacks(const Knowledge&) const; // whether it would add anything
  bool operator==(const Knowledge&) const = default;
};

// Of all blocks. nullptr: nothing is known.
struct KnownBlocks;
using Known = std::shared_ptr<const KnownBlocks>;
struct KnownBlocks { // a tree by block number, four bits a level, from the lowest
  Knowledge here;    // of the block whose number is used up
  std::array<Known, 16> below;
  std::uint64_t chain = 0, step = 0; // of a whole tree: as Released has them
};
Known join(Known, const Known&); // one of the two where that has all of the other
Known with(Known, std::uint64_t block, const Knowledge&);
const Knowledge* of_block(const Known&, std::uint64_t block); // nullptr: nothing
bool covers(const Known&, std::uint64_t block, Record);

// Of one thread, or of all threads of a block.
struct Clock {
  Known seen;          // has happened before
  Known fenced_block;  // what its next strong write passes on: to its block,
  Known fenced_device; // to everybody
  // Has happened before a fence.proxy.async that did, of shared memory, of global memory.
  Known proxied, proxied_global;
  // Was found by relaxed reads where acquires are strict: has happened before from a fence on.
  Known found_block, found_device;
  Known made; // barriers in memory that were initialised before a fence.mbarrier_init
  void add(const Clock&);
};

// What a barrier in memory passes on from who arrives to who waits.
struct Passed {
  Known seen, proxied, proxied_global, made;
  void add(const Passed&);
  bool operator==(const Passed&) const = default;
};

// What a place in memory passes on to who reads it.
struct Released {
  std::uint64_t block = 0; // whose `to_block` it is
  Known to_block, to_device;
  bool whole = false; // `to_device` has all of `to_block`
  // The thread whose stores alone it is from, from 1, of all blocks; 0: of several. What it
  // released before is passed on by its next strong store too (PTX ISA, Release and Acquire
  // Patterns).
  std::uint64_t by = 0;
  // Of `to_device`: atomics only add to it, so that of two that were read here the later one has
  // all of the other. 0: none has added anything.
  std::uint64_t chain = 0, step = 0;
};
// Atomics go on with what the place passes on: all that it did, and more.
void go_on(Released& place, const Known& joined);

// Places in global memory, by address. Of a launch.
using ReleasedPlaces = std::unordered_map<std::uint64_t, Released>;

} // namespace course::emulator
