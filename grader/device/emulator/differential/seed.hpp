// How often random tests are repeated, and with which numbers: COURSE_SEED sets another seed than
// the fixed one, COURSE_ROUNDS repeats everything with as many seeds.
#pragma once

#include "system/environment.hpp"

#include <cstdint>
#include <cstdlib>

namespace course::emulator::differential {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const auto text = system::environment(name);
  return text ? std::strtoull(text->c_str(), nullptr, 0) : otherwise;
}
inline std::uint64_t seed(std::uint64_t otherwise) {
  return from_environment("COURSE_SEED", otherwise);
}
inline std::uint64_t rounds() {
  return from_environment("COURSE_ROUNDS", 1);
}

// Sanitized code is ten times slower: there, one form or program of so many is tried.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::uint64_t kOneOf = 8;
#else
inline constexpr std::uint64_t kOneOf = 1;
#endif

} // namespace course::emulator::differential
