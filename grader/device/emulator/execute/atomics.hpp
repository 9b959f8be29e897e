// Atomic operations as functions on a word.
#pragma once

#include "device/emulator/decode/access.hpp"

#include <string>
#include <vector>

namespace course::emulator {

// By operation and type, as in the PTX: "add.u32", "cas.b64". nullptr: no such operation.
// `ordered`: the result depends on the order in which lanes come, even when nobody looks at the
// old value. Floating-point sums do, by their rounding.
Combine combine_operation(const std::string& name, bool& ordered);
std::vector<std::string> combine_names(); // sorted
// Whether two of it leave the same, whichever comes first.
bool joins_in_any_order(Combine);
// The same operation on global memory, where sums of f32 take and leave subnormal numbers as zeros
// of their sign. On shared memory they do not (PTX ISA, atom).
Combine on_global_memory(Combine);
// Joins a value to an element of global memory, of 2, 4 or 8 bytes.
void combine_on_host(std::byte* element, std::uint32_t bytes, Combine, std::uint64_t value);

} // namespace course::emulator
