#include "system/spent.hpp"

#include <ctime>
#include <fstream>
#include <string>
#include <unistd.h>

namespace course::system {

std::uint64_t memory_in_use(pid_t process) {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(process) + "/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::chrono::seconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec);
}

} // namespace course::system
