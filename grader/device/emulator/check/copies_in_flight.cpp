#include "device/emulator/check/copies_in_flight.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/products.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/sent_sources.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

bool overlap(u32 a, u32 a_bytes, u32 b, u32 b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

bool writes(const Tracked& copy, u32 offset, u32 width) {
  if (copy.chunks.empty())
    return overlap(offset, width, copy.to, static_cast<u32>(copy.bytes.size()));
  return std::any_of(copy.chunks.begin(), copy.chunks.end(),
                     [&](u32 chunk) { return overlap(offset, width, chunk, kBulkChunk); });
}

} // namespace

void check_in_flight(Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at) {
  Block& block = *warp.block;
  const u32 width = access.width();
  const bool reads = access.direction == Direction::load;
  const auto report = [&](const Warp& owner, u32 owner_lane, const MemoryOperand& copy, u32 lane,
                          Says still, const Tracked* tracked = nullptr) {
    block.checker->report(
        device::FindingKind::race, access.id, copy.id, warp, lane,
        [&] {
          Message mine(reads ? Says::reads : Says::writes,
                       block.shared.layout().describe(at.of[lane], width));
          Message theirs(Says::thread, owner.block->thread(owner, owner_lane));
          if (!tracked) return Message(still, std::move(mine), std::move(theirs));
          return Message(still, std::move(mine), std::move(theirs),
                         Message(Says::phase, tracked->phase, name_of({&block, tracked->barrier})));
        },
        device::Meeting::copy_in_flight);
  };
  for (u32 left = mask; left && !block.ended; left &= left - 1) {
    const u32 lane = lowest(left);
    const u32 offset = at.of[lane];
    bool met = false;
    if (!reads)
      for (const BulkRead& copy : block.bulk_reads.in_flight)
        if (overlap(offset, width, copy.from, copy.size)) {
          report(*copy.by, copy.lane, *copy.access, lane, Says::copy_still_reads);
          met = true;
        }
    if (!reads && !block.bulk_reads.sent.empty()) check_sent(warp, access, lane, block, offset);
    if (block.landing.at(offset, width)) {
      for (const Warp& owner : block.warps)
        for (const AsyncCopy& copy : owner.copies.in_flight)
          if (overlap(offset, width, copy.to, copy.access->element))
            report(owner, copy.lane, *copy.access, lane, Says::copy_still_writes);
      for (const Tracked& copy : block.memory_barriers.under_way)
        if (copy.what != Tracked::What::copies && writes(copy, offset, width))
          report(*copy.by, copy.lane, *copy.access, lane, Says::tracked_copy_still_writes, &copy);
      met = true;
    }
    if (met) break; // the others are like this one
  }
  if (!reads) check_refill(warp, access, mask, at);
  if (!block.checker->remote.empty()) block.checker->remote.check_own(warp, access, mask, at);
}

void check_bulk_writes(Warp& warp, const MemoryOperand& access, u32 mask, const LaneAddresses& at) {
  if (access.asynchronous && access.direction != Direction::load) return;
  Block& block = *warp.block;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    for (const BulkWrite& copy : block.bulk_reads.writes) {
      if (at.of[lane] >= copy.to + copy.size || at.of[lane] + access.width() <= copy.to) continue;
      block.checker->report(
          device::FindingKind::race, access.id, copy.access->id, warp, lane,
          [&] {
            const Allocation& memory = *block.launch->memory->find(at.of[lane]);
            return Message(Says::bulk_store_not_done,
                           does(access, memory.element(at.of[lane] - memory.base, access.width())),
                           Message(Says::thread, block.thread(*copy.by, copy.lane)));
          },
          device::Meeting::copy_in_flight);
      return;
    }
  }
}

void end_bulk_copies(Block& block) {
  end_sent(block);
  for (const BulkRead& copy : block.bulk_reads.in_flight)
    block.checker->report(device::FindingKind::bulk_copy, copy.access->id, kNone, *copy.by,
                          copy.lane, [] { return Message(Says::ends_while_copy_reads); });
  for (const Tracked& copy : block.memory_barriers.under_way) {
    if (copy.what == Tracked::What::copies) continue;
    const bool own = copy.by->block == &block;
    copy.by->block->checker->report(
        own ? device::FindingKind::bulk_copy : device::FindingKind::cluster, copy.access->id, kNone,
        *copy.by, copy.lane, [&] {
          return own ? Message(Says::ends_while_copy_writes)
                     : Message(Says::other_ends_while_copy_writes, block.index);
        });
  }
}

} // namespace course::emulator
