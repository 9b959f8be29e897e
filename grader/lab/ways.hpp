// The ways that exercises ask for (judge::WayBound).
#pragma once

#include "judge/execution.hpp"
#include "lab/placement.hpp"

namespace course::lab {

namespace way = device::way;

// How the output of a case that is followed came, and by what, when the job is executed once more
// for that. A follower that is missing has seen no elements.
void follow(judge::Execution&, const Case&, const Placement&, const device::Job&,
            device::Follower*);

} // namespace course::lab
