// The check of time: what was measured on a GPU, or what can be said without one.
#pragma once

#include "lab/evidence.hpp"

#include <vector>

namespace course::lab {

// `judged`: the checks before it.
judge::Check time_check(const Grading&, const Evidence&, const std::vector<judge::Check>& judged);

} // namespace course::lab
