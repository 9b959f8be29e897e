// Landlock: a process gives up the files, the network and the processes it has no rule for.
#pragma once

#include "sandbox/keeper_order.hpp"

namespace course::sandbox {

// From now on this process and all it starts can read the system's programs and libraries and what
// is readable in the order, write below what is writable, and open no TCP connection. False with
// errno set when the kernel refuses.
bool restrict_files(const Order&);

} // namespace course::sandbox
