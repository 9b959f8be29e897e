// For tests of drawn orders.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace course::emulator {

// Sanitized code is ten times slower: what is drawn, or tried in many orders, is less often there.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// How many seeds are tried: few in an ordinary test, or COURSE_SEEDS.
inline std::uint64_t seeds() {
  const char* wanted = std::getenv("COURSE_SEEDS");
  return wanted ? std::strtoull(wanted, nullptr, 10) : kSanitized ? 1 : 4;
}

} // namespace course::emulator
