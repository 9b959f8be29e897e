// Atomics on shared memory.
//
// Rules, measured on an H200 (data/README.md):
// - ATOMS.ADD, MIN, EXCH on 32 bits: the largest number of active lanes in one bank; lanes with the
//   same address do not share a pass. MAX, AND, OR, XOR, INC and DEC are taken to be alike.
// - ATOMS.POPC.INC: the largest number of distinct words in one bank.
// - ATOMS.CAS on 32 bits: twice the largest number of active lanes in one bank.
// - ATOMS.EXCH and ATOMS.CAS on 64 bits: the same for each half of the warp.
// - A loop of load and ATOMS.CAST.SPIN: in each round the lowest lane left in each bank wins. A
//   round costs the load of all lanes left, and 2 for the attempt.
// - The same on 64 bits: each half of the warp has its winners, and the attempt costs 2 for each
// half
//   with a lane left. A winner of the upper half whose word the lower half's winner has just
//   changed must try again; it need not where that one left the word as it was. In a min or max, a
//   lane that finds nothing to change when it loads is through without an attempt; in add, and, or
//   and xor it attempts all the same. Exact for every measured pattern of
//   book/data/h200, the values given.
#pragma once

#include <cstdint>
#include <functional>

#include "device/model/request.hpp"

namespace course::model {

// What a 64-bit loop works on: its rounds depend on it.
struct LoopValues {
  std::array<std::uint64_t, kLanes> before{}; // each lane's word in memory, before the instruction
  std::function<std::uint64_t(int lane, std::uint64_t now)> after; // what a lane makes of its word
  bool ends_unchanged = false; // min and max: a lane with nothing to change attempts nothing
};

// Of one of the four shared_atomic kinds; any other counts as shared_atomic. Width 4
// or 8.
Passes atomic_passes(const Request&, const LoopValues&);

// As above, where every attempt changes its word: an add of 1.
Passes atomic_passes(const Request&);

// Whether lanes of a loop or of a compare-and-swap may be in each other's way when they try again,
// whichever of them do. Where they may not, more attempts are more passes and no more conflicts.
bool may_conflict_again(const Request&);

} // namespace course::model
