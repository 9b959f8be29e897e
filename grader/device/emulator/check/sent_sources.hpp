// What copies to other blocks of the cluster read in a block's own shared memory.
//
// Such a copy is told to a barrier in the memory of the block that gets it, and reads its source at
// any time until that phase has ended. Who has waited for the phase knows that it has, and whoever
// is behind that: the block that sent it learns it by a barrier of the cluster, or by an arrival
// from over there, and no wait of its own thread's says so. In Known each barrier is a block of its
// own, and its phases are stamps.
#pragma once

#include "device/emulator/state/knowledge.hpp"

#include <cstdint>

namespace course::emulator {

struct Block;
struct BarrierPlace;
struct MemoryOperand;
struct Tracked;
struct Warp;

// A copy by the lane has begun, of bytes of its own block, that this barrier is told of.
void note_sent(Warp&, const MemoryOperand& source, std::uint32_t lane, std::uint32_t from,
               std::uint32_t size, const BarrierPlace& told);
// With what a copy tells the barrier by coming.
Known with_sent(Known, const BarrierPlace&, const Tracked&);
// Reports a store by a lane to what a copy of `source` may still read.
void check_sent(Warp&, const MemoryOperand&, std::uint32_t lane, Block& source,
                std::uint32_t offset);
// The block has ended: reports copies that may still read.
void end_sent(Block&);

} // namespace course::emulator
