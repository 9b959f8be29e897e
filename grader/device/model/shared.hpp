// How many wavefronts a request to shared memory takes.
//
// Rules, measured on an H200 (data/README.md). Word k is in bank k mod 32.
// 1. Lanes are served in groups: all 32 together for 1, 2 and 4 bytes, two halves for 8 bytes, four
//    groups of eight lanes for 16.
// 2. Loads only: two groups (the first two, or the last two) are served as one when both together
//    take one wavefront and every active lane in them agrees in its address with lane ^ 1, or every
//    one with lane ^ 2 (a neighbour that is inactive agrees).
//    For 16 bytes, inactive lanes make two exceptions, for which no reason is known. The lower half
//    of the warp needs no agreement when lane 31 is inactive; when lane 31 is active, an inactive
//    neighbour there does not agree. And n lanes at one address take ceil(n / 16) wavefronts.
// 3. A group costs the largest number of distinct words in one bank; a group without an active lane
//    costs nothing.
// They hold for every one of 2,662 measured 16-byte loads, 1,797 with inactive lanes among them.
// Atomics have rules of their own (atomics.hpp), and so have matrix accesses (matrix.hpp) and
// cp.async (async_copy.hpp).
#pragma once

#include "device/model/request.hpp"

namespace course::model {

// Whether a request says all that its cost depends on: false for other memories, and for cp_async,
// which copy_passes (async_copy.hpp) knows.
bool has_rule(RequestKind, int width);

// What a request costs. All zero when no lane is active, and where has_rule says no. 64-bit loops
// count as adds of 1 (atomics.hpp).
Passes shared_passes(const Request&);

// The lanes that compete for the banks, in the order of their groups: those of the rules above, one
// group a matrix, and one for an atomic (two for one of 64 bits). Groups without an active lane are
// left out.
struct Groups {
  std::array<std::uint32_t, 4> lanes{}; // only active ones
  int count = 0;
};
Groups groups_of(const Request&);

// Neighbouring words, and so banks, that each lane asks for: 1, 2 or 4. A matrix's row has 4.
int words_a_lane(const Request&);

} // namespace course::model
