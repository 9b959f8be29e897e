// Instructions whose memory no bank serves: to another block's shared memory, copies of a tile that
// one lane asks for, products of a warpgroup. How they are told from others, and what they are.
#pragma once

#include "device/gpu/messages.hpp"

#include <optional>
#include <vector>

namespace course::sass {
struct Word;
}

namespace course::gpu {

// Whether some code has such instructions: then there is more to be counted.
bool goes_beyond_banks(const std::vector<device::Module>&);

// What a machine instruction does by its opcode; nothing for others, and for those that find out by
// the address whether they go to another block.
std::optional<model::RequestType> beyond_banks_kind(const sass::Word&);

// The rows that counts of an instruction amount to beyond what banks and global memory served: none
// where it has nothing of the kind. What is in them is taken out of `counts`.
std::vector<InstructionCounts> take_beyond_banks(InstructionCounts& counts);

} // namespace course::gpu
