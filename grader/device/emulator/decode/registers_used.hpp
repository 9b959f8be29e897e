// Which registers a function reads, and which it may read before it has written them.
#pragma once

#include "device/code/ptx/module.hpp"

#include <vector>

namespace course::emulator {

// How often each register is a source.
std::vector<std::uint32_t> register_uses(const ptx::Function&);
// How often each is compared with a constant.
std::vector<std::uint32_t> register_looks(const ptx::Function&);

// The first instruction that reads each, of those that have a line if any has; the number of
// instructions where none reads it.
std::vector<std::uint32_t> first_uses(const ptx::Function&);

// Registers that some path reads before anything has written them. They are cleared when a function
// starts, so that no result depends on what ran before.
std::vector<ptx::Register> read_before_written(const ptx::Function&);

} // namespace course::emulator
