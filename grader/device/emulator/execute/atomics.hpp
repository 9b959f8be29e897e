// Atomic operations as functions on a word.
#pragma once

#include "device/emulator/decode/instruction_set.hpp"

#include <string>
#include <vector>

namespace course::emulator {

// Whether two of it leave the same, whichever comes first.
bool joins_in_any_order(Combine);
// Joins a value to an element of global memory, of 2, 4 or 8 bytes.
void combine_on_host(std::byte* element, std::uint32_t bytes, Combine, std::uint64_t value);

} // namespace course::emulator
