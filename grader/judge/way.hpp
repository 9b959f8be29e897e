// The way of the data: whether an output's values came as the exercise asks, through the tile say.
//
// Counts of loads and stores cannot tell: accesses for show have them too. So the emulated device
// follows the data of one shape (device/way.hpp), and each element is asked how it came.
#pragma once

#include "device/way.hpp"
#include "judge/execution.hpp"

#include <functional>
#include <span>

namespace course::judge {

// `ways` of the output's bytes; each element has `bytes` of them.
WayTaken way_taken(const WayBound&, std::span<const device::Way> ways, std::uint64_t bytes);
WayTaken way_taken(std::span<const device::Way> ways, std::uint64_t bytes,
                   const std::function<bool(device::Way)>& as_asked);

// The check, failed: so many of the execution's values did not come as they were asked to.
Check astray(Check, const Execution&, const WayBound&, const WayTaken&);

// The check, failed if it had passed and an execution's values came by another way.
Check with_way(Check, Executions);

} // namespace course::judge
