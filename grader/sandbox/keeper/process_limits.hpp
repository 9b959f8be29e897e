// The kernel's limits of one process, inherited by all that it starts.
#pragma once

#include "sandbox/keeper_order.hpp"

namespace course::sandbox {

// False with errno set when the kernel refuses. `limit_memory` comes last, right before the program
// is run, because it holds for the calling process as well.
bool limit_resources(const Order&);
bool limit_memory(const Order&);

} // namespace course::sandbox
