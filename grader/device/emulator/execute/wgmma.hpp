// Products of warpgroups (wgmma): four warps together multiply matrices that the hardware reads in
// shared memory by itself.
//
// Each warp computes its 16 rows of D when it comes to the instruction, and D is written at once.
// What a GPU does later is kept beside: until a warp waits for the group of a product, its
// registers are nobody's (check/products.hpp), and until one of the four has waited, what it reads
// in shared memory may not be written. A wait ends when all four warps have come as far as the
// products that it is for, which no GPU begins earlier (product_wait.cpp). wgmma reads by the async
// proxy, as bulk copies do.
//
// Floating point is added up as a matrix unit does (unit_sums.hpp).
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/state/product_groups.hpp"

#include <cstdint>

namespace course::emulator {

// The products of the warp's groups before this one are done: their registers may be used.
void end_products(Warp&, std::uint32_t before, std::uint32_t site);

// D = A B + D of the warp's rows. What lies outside of shared memory is zero.
void multiply(Warp&, const WarpgroupProduct&, const ProductChunks&);

} // namespace course::emulator
