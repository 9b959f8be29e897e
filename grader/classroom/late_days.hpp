// What being late costs a student over a term, where some days are free.
#pragma once

#include "classroom/clock.hpp"
#include "classroom/settings.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace course::classroom {

// What somebody handed in of a lab that has a deadline; seconds since 1970.
struct HandedInLab {
  std::string lab;
  std::int64_t due = 0, at = 0;
};

struct LateLab {
  Lateness lateness; // what it keeps when the free days are taken
  int free = 0;      // of its days
};

LatePolicy late_policy_of(const Settings&, const std::string& lab);

// By lab. Free days go to the labs that are due first, whatever was handed in or is graded in which
// order; a lab that loses nothing takes none, nor does one that would lose as much with them.
std::map<std::string, LateLab> late_labs(const Settings&, const std::vector<HandedInLab>&);

} // namespace course::classroom
