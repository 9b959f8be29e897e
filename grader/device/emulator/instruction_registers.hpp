// The registers of an instruction, in order of its operands; of the sources, the guard comes first.
#pragma once

#include "device/emulator/ptx/module.hpp"

#include <vector>

namespace course::emulator {

std::vector<ptx::Register> results_of(const ptx::Instruction&);
std::vector<ptx::Register> sources_of(const ptx::Instruction&);

} // namespace course::emulator
