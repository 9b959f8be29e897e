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
// - The same on 64 bits: each half of the warp has its winners, the attempt costs 2 for each half
//   with a lane left, and a winner of the upper half whose word a winner of the lower half has just
//   changed must try again. A 64-bit max, min or or may have fewer rounds, since lanes that have
//   nothing to change in memory as it then is need none: counted is what it takes if all have.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

// Access: one of the four shared_atomic kinds; any other counts as shared_atomic. Width 4 or 8.
// `unchanged`: lanes whose operation leaves the word as it was (they add zero), which the cost of a
// 64-bit loop depends on.
Passes atomic_passes(const Request&, std::uint32_t unchanged = 0);

} // namespace course::model
