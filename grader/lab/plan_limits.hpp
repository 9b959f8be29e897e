// What a plan may ask for beside kernels, before any of it is executed.
//
// A kernel without end is ended by its budget of instructions. Fills, copies and launches have no
// instructions of their own, so a plan of nothing but those could keep a device busy for hours:
// they are weighed on the same scale.
#pragma once

#include "device/device.hpp"
#include "judge/check.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace course::lab {

// In warp-instructions: one for 128 bytes that are filled, copied or uploaded, as many as a warp
// moves at once; kLaunchWeight for a launch.
inline constexpr std::uint64_t kLaunchWeight = 200;
std::uint64_t weight(const device::Plan&);

// Bytes that the plan moves between places in device memory without a kernel. No counter sees
// those: a matrix can be transposed by copies of single elements.
std::uint64_t bytes_copied(const device::Plan&);

// The launch check of a plan that does the kernel's work by copies; nothing for any other.
std::optional<judge::Check> check_copies(const device::Plan&, const judge::Shape& shape);

} // namespace course::lab
