// Bulk copies (cp.async.bulk, cp.reduce.async.bulk): one lane moves many bytes, asynchronously, in
// chunks of 16.
//
// Into shared memory they are told to a barrier in memory, and are under way until somebody looks
// at that (mbarrier.hpp). Out of shared memory they belong to a bulk group of their lane: the bytes
// are moved at once, and until the lane waits for the group whoever writes what is read is
// reported. Copies reach shared memory by another way than ordinary accesses do (the async proxy):
// what was stored has to be fenced before a copy reads it, which no result ever shows.
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/copies.hpp"

#include <cstdint>

namespace course::emulator {

struct Block;
struct Tracked;
struct Warp;

// What a copy brings is there.
void land(Block&, const Tracked&);
// At liberty, of a copy that has just been asked for: some of its pieces are there at once, whoever
// waits, and the others come over what another copy brings meanwhile.
void land_early(Block&, Tracked&);
} // namespace course::emulator
