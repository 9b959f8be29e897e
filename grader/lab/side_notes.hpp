// What a verdict says besides its checks: calls that were refused, arrays that the compiler
// removed, and what became of a store to constant memory.
#pragma once

#include "device/device.hpp"
#include "device/removed.hpp"
#include "judge/check.hpp"
#include "runtime/recording.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace course::lab {

// Of host code's calls, each refusal once.
void note_refusals(const std::vector<runtime::CudaError>&, std::vector<judge::Note>& notes);

// A note for each array. A check that failed for want of shared memory knows of the first.
void note_removed(const std::vector<device::RemovedArray>&, std::vector<judge::Check>& checks,
                  std::vector<judge::Note>& notes);

// nvcc puts a trap, of no line, in the place of a store to constant memory, and warns of it. Such a
// trap becomes the store that it stands for, on the line of the warning.
void name_constant_store(device::Observation&, std::string_view warnings, const std::string& file);

} // namespace course::lab
