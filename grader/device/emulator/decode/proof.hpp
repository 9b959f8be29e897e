// How far the number of requests of each access is proven: whether the GPU executes it as often as
// the PTX, with the same lanes.
//
// The machine code has control flow of its own: branches become predicates, loads move in front of
// a branch, loops are unrolled, code is copied. What tells whether an access is still where the PTX
// has it are the decisions that it depends on: the branches, transitively, whose outcome decides
// whether it is executed (its control dependences, after Ferrante, Ottenstein and Warren). A branch
// of the SASS has the PTX line of the branch that it was made of. So, for an access that the SASS
// has once:
//
// - the same decisions: executed with the same lanes, exactly;
// - fewer, and a guard: the branches that are missing became the guard;
// - fewer, and no guard: a store is executed for the lanes that the program says, all the same, and
//   together, since nothing parts them. A load is executed for lanes that the PTX leaves out;
// - more: nothing is known. A store may be executed in smaller groups, a load may be left out.
//
// A load may get a guard of its own besides: of `better ? a : b`, ptxas loads b for the lanes that
// take it. The guard has the line of the load then, and nothing is known of the lanes.
//
// Where paths meet that have no end in common (a goto, && and ||), the SASS has lanes leave the
// meeting point by BREAK; what depends on such a branch is proven for whole warps alone.
//
// Several copies that depend on no decisions but those of the PTX are rounds of an unrolled loop.
// They do the same work for a warp whose lanes go round equally often, and where they do not, some
// round has fewer lanes than the warp. Such rounds may be grouped otherwise, unless the arrangement
// of the loop is known (arrangement.hpp), or it has no decisions left. Of a store, or a guarded
// load, that has one copy in each block, each round is executed for its lanes, as in the PTX.
#pragma once

#include "device/emulator/decode/arrangement.hpp"
#include "device/emulator/decode/memory_operand.hpp"

#include <vector>

namespace course::emulator {

// For each instruction of the function, of the accesses that were found.
std::vector<Proof> proofs(const ptx::Function&, const sass::Cubin&, const std::vector<sass::Match>&,
                          const Arrangement&);

} // namespace course::emulator
