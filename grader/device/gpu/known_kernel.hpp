// A kernel whose counts are known, to try counting with before it is relied on.
//
// The encoding of machine code and CUPTI's call order are not documented; a driver or toolkit that
// differs is found out by this, not by a student.
#pragma once

#include "device/device.hpp"

#include <string>

namespace course::gpu {

// One warp stores a column of a 32-word-wide tile, line 7, and loads a row of it, line 8.
device::Job known_kernel_job();

// Empty when the observation of that job is right; else one sentence.
std::string known_kernel_failure(const device::Observation&);

} // namespace course::gpu
