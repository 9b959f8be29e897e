// The last steps of a process before it becomes the untrusted program.
#pragma once

#include "sandbox/keeper_order.hpp"
#include "sandbox/report.hpp"

namespace course::sandbox {

// Limits, user, landlock, filter, in this order, then the program. Returns only when a step was
// refused, with errno set.
Step confine_and_run(const Order&);

} // namespace course::sandbox
