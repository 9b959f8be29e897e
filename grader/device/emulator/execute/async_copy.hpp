// Asynchronous copies from global to shared memory: cp.async, its groups, and its waits.
//
// A copy is in flight from the instruction until its thread waits for its group. What it brings is
// in shared memory only then, and for other threads only behind a barrier after that. Who accesses
// the place earlier is reported. It is counted as the GPU counts it, in one row for both sides
// (model/async_copy.hpp); and once more as a load of its source, for the sectors that it touches,
// which are not those that the GPU counts.
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/copies.hpp"

#include <cstdint>

namespace course::emulator {

struct Block;
struct Warp;

// Those of one lane with a number below arrive: a barrier in memory is told of them.
void complete_copies(Warp&, std::uint32_t lane, std::uint64_t before);

} // namespace course::emulator
