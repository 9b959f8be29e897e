// For tests of drawn orders.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace course::emulator {

// How many seeds are tried: few in an ordinary test, or COURSE_SEEDS.
inline std::uint64_t seeds() {
  const char* wanted = std::getenv("COURSE_SEEDS");
  return wanted ? std::strtoull(wanted, nullptr, 10) : 4;
}

} // namespace course::emulator
