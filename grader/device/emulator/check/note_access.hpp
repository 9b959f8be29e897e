// What the checks are told of each access, by execute: it is in bounds and aligned, of the lanes in
// `mask`, in a block with checks.
#pragma once

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/copies_in_flight.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/state/global_memory.hpp"

namespace course::emulator {

void note_global(Warp&, const MemoryOperand&, std::uint32_t mask, Allocation&,
                 const LaneAddresses&);

// What a strong access to shared memory passes on and takes over.
void synchronise_shared(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);

// Returns lanes that read what nothing has written, or that others of the same store have
// overwritten. `ordinary`: a load or store by each lane for itself. What it reads is followed
// (Shadow::read), and a copy under way is said first; of others what is found of the same two is
// not said again. Inline: it is part of every load and store.
[[gnu::always_inline]] inline std::uint32_t note_shared(Warp& warp, const MemoryOperand& access,
                                                        std::uint32_t mask, const LaneOffsets& at,
                                                        bool ordinary = false) {
  Block& block = *warp.block;
  Checker& checker = *block.checker;
  const bool loads = access.direction == Direction::load;
  if (!checker.observers.empty()) [[unlikely]]
    checker.shared_access(warp, access, mask, at);
  if (ordinary && block.landing.copies) [[unlikely]]
    check_in_flight(warp, access, mask, at);
  if (!loads && !block.memory_barriers.all.empty()) [[unlikely]]
    check_overwritten_barriers(warp, access, mask, at);
  const std::uint32_t found = loads ? checker.shadow.read(warp, access, mask, at, ordinary)
                              : access.direction == Direction::store
                                  ? checker.shadow.write(warp, access, mask, at)
                                  : checker.shadow.atomic(warp, access, mask, at);
  if (is_strong(access) && checker.order.active()) [[unlikely]]
    synchronise_shared(warp, access, mask, at);
  const std::uint32_t rest = loads ? mask & ~found : mask;
  if (!ordinary && rest && block.landing.copies) [[unlikely]]
    check_in_flight(warp, access, rest, at);
  return found;
}

} // namespace course::emulator
