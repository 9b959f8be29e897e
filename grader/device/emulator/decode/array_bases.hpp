// Array bases: which of the arrays that a kernel carves out of its dynamic shared memory an access
// means.
//
// A program with several arrays in one piece adds to the beginning of each what is the same for all
// threads and no constant, as in `memory + n`. Constants and indices are left out, as in s[t + 1].
// So is what a loop changes, as in two buffers that take turns. Where an index has such a number in
// it, as in s[n - t], the array is not recognised, and nothing is said of it.
#pragma once

#include "device/code/ptx/module.hpp"
#include "device/emulator/decode/memory_operand.hpp"

#include <string>
#include <vector>

namespace course::emulator {

struct ArrayBases {
  std::vector<CarvedArray> accesses; // by instruction; empty where nothing is known
  bool several = false;              // there are stores by more than one base
};

// `dynamic`: names of the dynamic array. Nothing is known, and `several` is false, where shared
// memory is read or changed by others than loads, stores and atomics of the function itself.
ArrayBases array_bases(const ptx::Function& entry, const std::vector<std::string>& dynamic);

} // namespace course::emulator
