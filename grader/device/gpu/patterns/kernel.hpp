// A kernel of one warp that executes many patterns, each on a source line of its own, so that one
// launch measures them all.
#pragma once

#include "device/device.hpp"
#include "device/gpu/patterns/pattern.hpp"

#include <string>
#include <variant>
#include <vector>

namespace course::gpu::patterns {

// PTX for GPUs of compute capability `major`.`minor` and above. Shared memory is zero before each
// pattern.
std::string kernel_text(const std::vector<Pattern>&, int major, int minor);

// The kernel with its tables, to be counted by a GPU device.
device::Job job(const std::vector<Pattern>&, int major, int minor);

// The patterns' measurements, in order; or one sentence.
std::variant<std::vector<Measured>, std::string> measurements(const device::Observation&,
                                                              std::size_t patterns);

} // namespace course::gpu::patterns
