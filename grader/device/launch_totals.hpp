// What a launch executed, by warps: the one list of it, which sums, JSON and messages go through.
#pragma once

#include <cstdint>

namespace course::device {

struct LaunchTotals {
  std::uint64_t instructions = 0;
  std::uint64_t barriers = 0;
  std::uint64_t shuffles = 0;
  std::uint64_t shuffles_in_ptx = 0; // of them, those that nobody found in the machine code
  std::uint64_t divergent_branches = 0;

  LaunchTotals& operator+=(const LaunchTotals&);
};

struct LaunchTotal {
  const char* name; // in JSON; nullptr: not there
  std::uint64_t LaunchTotals::*member;
};

inline constexpr LaunchTotal kLaunchTotals[] = {
    {"instructions", &LaunchTotals::instructions},
    {"barriers", &LaunchTotals::barriers},
    {"shuffles", &LaunchTotals::shuffles},
    {nullptr, &LaunchTotals::shuffles_in_ptx},
    {"divergent_branches", &LaunchTotals::divergent_branches},
};
// A total that is not in the list would be in no sum.
static_assert(sizeof(LaunchTotals) ==
              sizeof(kLaunchTotals) / sizeof(LaunchTotal) * sizeof(std::uint64_t));

inline LaunchTotals& LaunchTotals::operator+=(const LaunchTotals& other) {
  for (const LaunchTotal& each : kLaunchTotals) this->*each.member += other.*each.member;
  return *this;
}

} // namespace course::device
