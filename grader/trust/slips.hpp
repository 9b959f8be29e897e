// Slips: changes of CUDA code after which most files still compile, and do something else.
//
// A number by a near one, an operator by its sibling, a variable by another one of its kind, an
// index moved, a barrier lost or doubled, a statement lost, doubled or put where it does harm.
#pragma once

#include "trust/dice.hpp"

#include <string>

namespace course::trust {

// One slip; the text as it is where it has nothing to slip on.
void slip(std::string& text, Dice&);

} // namespace course::trust
