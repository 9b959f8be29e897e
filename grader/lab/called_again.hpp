// The stage that calls the launcher twice in one process, with other numbers the second time: in
// its arrays, and as floats among its arguments. What it keeps of its first call, in a variable of
// the host or of the device, has to fit the second.
#pragma once

#include "lab/executed.hpp"

#include <optional>

namespace course::lab {

struct CalledAgain {
  HostCode host; // of what went wrong there
  std::optional<Stop> stop;
  std::optional<judge::Execution> wrong;
  bool is_right = true;
};

// Of the cheapest shape with several blocks, or else several warps, where all were right.
CalledAgain called_again(const Grading&, const Executed&, const CompiledFile&);

} // namespace course::lab
