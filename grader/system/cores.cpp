#include "cores.hpp"

#include <algorithm>
#include <sched.h>
#include <thread>

namespace course::system {

unsigned cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1u, std::thread::hardware_concurrency()); // a machine with more than a mask names
}

} // namespace course::system
