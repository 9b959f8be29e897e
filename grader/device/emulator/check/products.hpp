// What products of warpgroups need, and nobody says who leaves it out: a wgmma.fence behind
// ordinary accesses to their registers, a wait before these are used again, descriptors that fit
// what lies in shared memory, and that this was stored in time, and fenced, and is not refilled too
// early.
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/product_groups.hpp"

namespace course::emulator {

// Reports lanes that are missing in what a warp does as a whole.
void check_whole_warp(Warp&, std::uint32_t site, std::uint32_t mask);

// Of a warp that starts a product. `first`: what the first warp of its warpgroup multiplied.
void check_product(Warp&, const MemoryOperand&, std::uint32_t mask,
                   const ProductGroup::Product& first, const Descriptors&, const ProductChunks&);

// Whether lanes write what a product of some warpgroup may still read, which is reported.
bool check_refill(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);

} // namespace course::emulator
