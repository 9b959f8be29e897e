#include "device/emulator/check/sent_sources.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/state/cluster.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

// As a block, of which there are none with such numbers.
u64 number_of(const BarrierPlace& barrier) {
  constexpr u64 kBarriers = 1ull << 44;
  constexpr int kPlaces = 15; // bits: of eight bytes each in shared memory
  return kBarriers | (barrier.block->linear << kPlaces & (kBarriers - 1)) | barrier.offset / 8;
}

Record end_of(u64 phase) {
  return record(static_cast<u32>(phase), 0, 0);
}

} // namespace

void note_sent(Warp& warp, const MemoryOperand& source, u32 lane, u32 from, u32 size,
               const BarrierPlace& told) {
  Block& block = *warp.block;
  const Mbarrier* barrier = told.block->memory_barriers.find(told.offset);
  if (!block.checks || !size || !barrier) return;
  std::vector<SentSource>& all = block.bulk_reads.sent;
  if (all.empty()) ++block.landing.copies; // its own stores are checked from now on
  const SentSource now{&warp, lane, &source, from, size, number_of(told), barrier->phase};
  // Of one barrier, who knows of a later phase knows of the earlier ones.
  std::erase_if(all, [&](const SentSource& one) {
    return one.from == from && one.size == size && one.barrier == now.barrier;
  });
  all.push_back(now);
}

Known with_sent(Known known, const BarrierPlace& barrier, const Tracked& copy) {
  Knowledge ended;
  ended.all = static_cast<u32>(copy.phase) + 1;
  return with(std::move(known), number_of(barrier), ended);
}

void check_sent(Warp& warp, const MemoryOperand& access, u32 lane, Block& source, u32 offset) {
  Block& block = *warp.block;
  for (const SentSource& copy : source.bulk_reads.sent) {
    if (offset >= copy.from + copy.size || offset + access.width() <= copy.from) continue;
    if (block.checker->order.covers(warp.index * kLanes + lane, copy.barrier, end_of(copy.phase)))
      continue;
    block.checker->report(
        device::FindingKind::race, access.id, copy.access->id, warp, lane,
        [&] {
          Message place = source.shared.layout().describe(offset, access.width());
          if (&source != &block) place = of_cluster(std::move(place), source);
          return Message(Says::sent_copy_still_reads, does(access, std::move(place)),
                         Message(Says::thread, source.thread(*copy.by, copy.lane)));
        },
        device::Meeting::copy_in_flight);
    return;
  }
}

void end_sent(Block& block) {
  if (block.bulk_reads.sent.empty()) return;
  const Known known = block.checker->order.of_all();
  for (const SentSource& copy : block.bulk_reads.sent)
    if (!covers(known, copy.barrier, end_of(copy.phase)))
      block.checker->report(device::FindingKind::bulk_copy, copy.access->id, kNone, *copy.by,
                            copy.lane, [] { return Message(Says::ends_while_sent_copy_reads); });
}

} // namespace course::emulator
