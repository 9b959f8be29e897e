// What is wrong with memory that an asynchronous copy has not done with yet.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

namespace course::emulator {

struct Block;
struct Warp;

// Reports lanes that read or write what a copy in flight will write, or write what a bulk copy in
// flight may still read.
void check_in_flight(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);

// Reports a lane that accesses what a copy of its block may still write.
void check_bulk_writes(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneAddresses&);
// The block has ended: reports copies that may still need its memory.
void end_bulk_copies(Block&);

} // namespace course::emulator
