// Shared memory of another block of the cluster: loads, stores and atomics that go there.
//
// No bank is asked: such a request costs by sectors and lines (model/remote.hpp), and is counted as
// none to shared memory.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

#include <vector>

namespace course::emulator {

struct Block;
struct Warp;

// `at`: addresses in the cluster's shared memory. Does the access of those lanes that point to
// another block, by access.remote, and returns them.
std::uint32_t access_remote(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets& at);

// Where a lane of the warp points: the block, and the offset in its shared memory. nullptr: there
// is no such block, or no such bytes, or it has ended; that is reported.
Block* block_at(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t address,
                std::uint32_t width);

} // namespace course::emulator
