// The registers that an instruction writes and reads.
#pragma once

#include "device/code/ptx/module.hpp"

#include <vector>

namespace course::ptx {

// As the instruction's row says: the first operand, or none. One mention each.
std::vector<Register> results(const Instruction&);
std::vector<Register> sources(const Instruction&); // guard and addresses included

} // namespace course::ptx
