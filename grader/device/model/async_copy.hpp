// cp.async: from global memory to shared memory, without a register between.
//
// Its cost depends on both sides. Rules, measured on an H200 (book/data/h200/README.md); word k of
// shared memory is in bank k mod 32, and so, for this, is word k of global memory.
//
// Through L1 (.ca; 4, 8 or 16 bytes). Lanes are served in groups as those of a store: all 32, two
// halves, four groups of eight. A lane meets those lanes of its group that read from its source's
// bank or write to its destination's, itself among them, the same address or not. A group costs the
// largest number of lanes that one of them meets. Ideal: 128 bytes a wavefront. Exact for all of
// 2,248 patterns.
//
// Around L1 (.cg; 16 bytes, half a sector). Of lanes that write the same place, the lowest counts.
// Where places of one row of 128 bytes of shared memory have the same source and are the same half
// of a sector, they take turns, the highest lane's first. Within a turn, what goes from one sector
// into one sector is a piece; a source half that goes to both halves of a sector makes two. One
// wavefront carries pieces of one turn, from one line of 128 bytes to one row, that fill the same
// halves from the same halves, and in all of which the sector's number changes from even to odd or
// from odd to even, or in none; each source sector and each destination sector once. Ideal: 128
// bytes of distinct places a wavefront. Sectors: one a piece, whatever its turn. Exact for all of
// 1,766 patterns.
//
// A copy may read fewer bytes than it writes, and fill up with zeros (the fourth operand of
// cp.async). A lane that reads nothing meets, in the rule of L1, those of its group that write to
// its destination's bank, and nobody at its source. Around L1 the two rules are added up: the one
// above for the lanes that read, but those to whose place a lower lane writes nothing but zeros;
// and the rule of L1 for all lanes. The second is left out where all lanes read and ptxas knows
// that a lane reads all or nothing: a constant, or a choice between the two. Sectors: those of the
// lanes that read. Exact for all of 840 patterns, 720 of them measured after this was written.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

struct AsyncCopy {
  int width = 16; // bytes a lane: 4, 8 or 16
  bool around_l1 = false;
  std::uint32_t active = kAllLanes;
  std::uint32_t reading = kAllLanes; // lanes that read at least a byte
  bool any_count = false;            // ptxas does not know that each lane reads all or nothing
  std::array<std::uint64_t, kLanes> from{}; // global addresses, multiples of the width
  std::array<std::uint32_t, kLanes> to{};   // bytes from the start of shared memory, likewise
};

// Around L1, any width counts as 16.
Passes copy_passes(const AsyncCopy&);

// Sectors of global memory that the copy is counted for.
int copy_sectors(const AsyncCopy&);

} // namespace course::model
