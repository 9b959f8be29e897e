// How accesses are counted: by the SASS that ptxas made of them, where there is a cubin.
#pragma once

#include "device/code/sass/access_widths.hpp"
#include "device/emulator/decode/decoded_module.hpp"

namespace course::emulator {

// Sets how each access of a decoded function is counted. An access whose SASS is not known keeps
// its width in the PTX, and its row is marked so. Matches and proofs are by instruction; the
// arrangement is the one that the function was decoded with.
void count_by_sass(Code&, const std::vector<sass::Match>&, const std::vector<Proof>&, Arrangement);

} // namespace course::emulator
