// Blocks and warps that fit on a multiprocessor at a time, as checks.
#pragma once

#include "device/model/known_gpus.hpp"
#include "lab/exercise.hpp"

namespace course::lab {

// "blocks_per_sm" and "warps_per_sm": of the launch of which the fewest fit, by the rules of
// device/model/occupancy.hpp, on a multiprocessor as host code was told it is. Both pass when at
// least as many as `least` fit. The message says what keeps one more from fitting.
judge::Check check_blocks_per_sm(const model::Gpu&, judge::Executions, std::uint64_t least);
judge::Check check_warps_per_sm(const model::Gpu&, judge::Executions, std::uint64_t least);

} // namespace course::lab
