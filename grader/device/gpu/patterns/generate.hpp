// Access patterns drawn by seed: the same everywhere, for the same seed.
#pragma once

#include "device/gpu/patterns/kinds.hpp"
#include "device/gpu/patterns/pattern.hpp"

#include <cstdint>
#include <vector>

namespace course::gpu::patterns {

// `count` patterns of the kind: strides, permutations, swizzles, random offsets near and far, few
// distinct addresses; all lanes, some, or only two to four.
std::vector<Pattern> generate(const Kind&, std::size_t count, std::uint64_t seed);

} // namespace course::gpu::patterns
