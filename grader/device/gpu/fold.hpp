// From counts of machine instructions to counts of source lines.
#pragma once

#include "device/gpu/messages.hpp"

#include <vector>

namespace course::gpu {

// An atomic that the hardware has no instruction for is a loop of a load and ATOMS.CAST.SPIN. Gives
// such loads the loop's access, "shared_atomic_loop_4", where both come from one line of PTX: then
// the line shows one access, as in the source.
void join_atomic_loops(std::vector<InstructionCounts>&);

// Sums over instructions that share kernel, file, line and access, in order of file, line and
// access. Instructions that touch no memory are left out, and
// constant loads, whose replays CUPTI does not count by instruction. An access through a generic
// pointer counts as shared where it caused wavefronts, and as global where it moved sectors: in
// both rows where its lanes went to both. So it is with another block's shared memory, where it was
// executed as such.
std::vector<device::LineCounts> fold(const std::vector<InstructionCounts>&);

} // namespace course::gpu
