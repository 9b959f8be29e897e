// How many cores this process may use.
#pragma once

namespace course::system {

// At least 1. Those of its affinity mask (taskset, Slurm, a container's cpuset, CTest's
// PROCESSORS), which std::thread::hardware_concurrency does not look at: more threads than that
// only wait for each other.
unsigned cores();

} // namespace course::system
