// For whoever maintains the course and has one GPU: it stands in for an older one.
//
// With COURSE_GPU_AS=75, 80 or 89 in the environment, the worker says that the GPU has that compute
// capability and what of shared memory goes with it, takes no machine code that was made for the
// GPU, and hands the driver PTX for the older one. bench/older_gpus.sh does so. Students are not
// told of it: it is no way to see how fast another GPU is.
#pragma once

#include <cstdint>
#include <optional>

namespace course::gpu {

inline constexpr const char* kStandIn = "COURSE_GPU_AS";

// Of the environment; nothing where it names none.
std::optional<int> stand_in_capability();

// Bytes of shared memory that a block may ask for. Source: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". 0: not known here.
std::uint64_t shared_bytes_a_block(int capability);

} // namespace course::gpu
