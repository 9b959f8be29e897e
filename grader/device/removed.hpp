// Shared arrays that a kernel declares and its compiled code no longer has.
//
// A compiler may keep what a thread stores and then loads itself in a register, and drop what
// nobody loads. Who counts shared memory then finds none, and wonders.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace course::device {

struct RemovedArray {
  std::string kernel, name; // "row_row", "tile"
  std::uint32_t line = 0;   // of its declaration
};

// By the module's own source; nothing without one. Arrays of kernels that were not compiled, or in
// functions that kernels call, are not among them.
std::vector<RemovedArray> removed_arrays(const Module&);

} // namespace course::device
