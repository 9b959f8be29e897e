// A launcher called for one shape: what is passed to it, and what an execution of its plan showed.
#pragma once

#include "lab/exercise.hpp"
#include "lab/placement.hpp"
#include "runtime/recording.hpp"

namespace course::lab {

// The call that is recorded, with the operands as its memory.
runtime::Call call(const Exercise&, const Case&, const Placement&);

// Which operand is the output.
std::size_t output_of(const Case&);

// The output in `after` (a device's buffers) held against the reference for these inputs, or
// against what that is known to be.
judge::Comparison compare_output(const Case&, const Placement&, const std::vector<Floats>& inputs,
                                 const std::vector<device::Bytes>& after);
judge::Comparison compare_output(const Case&, const Placement&, const std::vector<Floats>& inputs,
                                 const Floats& expected, const std::vector<device::Bytes>& after);

} // namespace course::lab
