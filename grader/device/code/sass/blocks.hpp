// The paths through SASS.
//
// Opcodes as in decode.hpp: 147 BRA, 149 BRX, 14a JMP, 14c JMX, 14d EXIT, 150 RET. A branch says
// how far it goes, in steps of four bytes from the instruction behind it: bits 16-23 are the low
// ones, bits 34-81 the others, signed. It is unconditional where its guard and a second predicate
// (bits 87-90) are "true" and bits 24-33, which make it one of a warp's, are clear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace course::sass {

// Instructions that follow each other, and what may come behind the last.
struct Block {
  std::uint32_t begin = 0, end = 0; // addresses, the end behind the last instruction
  // Indices of blocks; their number stands for the end of the thread. At most two.
  std::vector<std::uint32_t> successors;
};

// By address; a kernel begins with the first. Empty where a branch leaves the code or goes through
// a register. Safe on any bytes.
std::vector<Block> blocks(std::span<const std::byte> code);

} // namespace course::sass
