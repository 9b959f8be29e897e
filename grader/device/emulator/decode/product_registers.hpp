// Which instructions may disturb the registers of products of warpgroups (wgmma): those that access
// one between a product and a wait for it, or before a product with no wgmma.fence between. On some
// path: what really happens is seen when it is executed (check/products.hpp).
#pragma once

#include "device/code/ptx/module.hpp"

#include <vector>

namespace course::emulator {

// By instruction of the body; empty: the function has no products.
std::vector<bool> touches_of_products(const ptx::Function&);

// A move between registers, which hands on what it finds and does nothing with it.
bool is_copy(const ptx::Instruction&);

} // namespace course::emulator
