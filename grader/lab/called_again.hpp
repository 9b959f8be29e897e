// The stage that calls the launcher three times in one process, each time with other numbers, and
// with another shape where there is one: in its arrays, and as floats among its arguments. What it
// keeps of a call, in a variable of the host or of the device, has to fit the next.
#pragma once

#include "lab/executed.hpp"

#include <optional>
#include <vector>

namespace course::lab {

struct CalledAgain {
  HostCode host; // of what went wrong there
  std::optional<Stop> stop;
  std::optional<judge::Execution> wrong;
  bool is_right = true;
};

// Of the cheapest shape with several blocks, or else several warps, where all were right; and of
// the cheapest other one before and after it.
CalledAgain called_again(const Grading&, const std::vector<Case>& cases, const Executed&,
                         const CompiledFile&);

} // namespace course::lab
