// What a process has used so far, for who holds it to a limit.
#pragma once

#include <chrono>
#include <cstdint>
#include <sys/types.h>

namespace course::system {

std::uint64_t memory_in_use(pid_t); // bytes; 0 where there is no such process
std::chrono::seconds processor_time(pid_t);

} // namespace course::system
