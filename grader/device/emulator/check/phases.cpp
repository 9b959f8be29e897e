#include "device/emulator/check/phases.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/state/cluster.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {
namespace {

Message phase_of(const BarrierPlace& place, u64 phase) {
  return Message(Says::phase, phase, name_of(place));
}
// As a thread of `block` would call it.
Message phase_for(const Block& block, const BarrierPlace& place, u64 phase) {
  if (place.block == &block) return phase_of(place, phase);
  return Message(Says::phase, phase, of_cluster(name_of(place), *place.block));
}

} // namespace

void check_made(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                const Mbarrier& barrier, Says does) {
  Block& block = *warp.block;
  const bool own = barrier.made_in == block.linear;
  const u32 mine = warp.index * kLanes + lane;
  const bool ordered = covers(block.checker->order.of(mine).made, barrier.made_in, barrier.made) ||
                       (own ? block.checker->shadow.ordered(barrier.made, warp, lane)
                            : block.checker->order.covers(mine, barrier.made_in, barrier.made));
  if (ordered) return;
  block.checker->report(
      device::FindingKind::race, access.id, site_of(barrier.made), warp, lane,
      [&] {
        const device::Dim3 thread =
            place.block->thread(place.block->warps[warp_of(barrier.made)], lane_of(barrier.made));
        return Message(Says::meets, Message(does, name_of(place)),
                       Message(Says::initialised, Message(Says::thread, thread)),
                       own ? no_barrier_between(warp_of(barrier.made) == warp.index)
                           : Message(Says::no_cluster_barrier));
      },
      own ? device::Meeting::in_any_order : device::Meeting::between_blocks);
}

void note_use(Warp& warp, const MemoryOperand& access, u32 lanes, const BarrierPlace& place) {
  Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
  if (!barrier) return;
  const u64 block = warp.block->linear;
  const UsedBarrier use{block, record(warp.stamp, access.id, warp.index), lanes};
  // Whoever is behind the last of a lane's uses is behind the earlier ones.
  for (UsedBarrier& before : barrier->uses)
    if (before.block == block && warp_of(before.record) == warp.index) before.lanes &= ~lanes;
  std::erase_if(barrier->uses, [](const UsedBarrier& before) { return !before.lanes; });
  barrier->uses.push_back(use);
}

// Of a warp, one lane that has come further stands for all, and the lane's own warp is left out:
// lanes that elect one to end a barrier for them meet before (cuda::pipeline by __match_any_sync),
// which orders what they did, if not what is in memory.
void check_unused(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                  const Mbarrier& barrier, Says does) {
  Block& block = *warp.block;
  const u32 mine = warp.index * kLanes + lane;
  for (const UsedBarrier& use : barrier.uses) {
    const bool own = use.block == block.linear;
    if (own && warp_of(use.record) == warp.index) continue;
    bool ordered = false;
    for (Record other = 0; other < kLanes && !ordered; ++other)
      ordered = own ? block.checker->shadow.ordered(use.record | other, warp, lane)
                    : block.checker->order.covers(mine, use.block, use.record | other);
    if (ordered) continue;
    const Record before = use.record | static_cast<Record>(std::countr_zero(use.lanes));
    return block.checker->report(
        device::FindingKind::race, access.id, site_of(before), warp, lane,
        [&] {
          const device::Dim3 thread = block.thread(block.warps[warp_of(before)], lane_of(before));
          return Message(Says::meets, Message(does, name_of(place)),
                         Message(Says::used, Message(Says::thread, thread)),
                         Message(own ? Says::no_barrier : Says::no_cluster_barrier));
        },
        own ? device::Meeting::in_any_order : device::Meeting::between_blocks);
  }
}

void report_no_barrier(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                       Says does) {
  const auto& ended = place.block->memory_barriers.ended;
  const auto by = ended.find(place.offset);
  warp.block->checker->report(
      device::FindingKind::phase, access.id, by == ended.end() ? kNone : site_of(by->second.record),
      warp, lane, [&] {
        Message mine(does, name_of(place));
        if (by == ended.end()) return Message(Says::is_no_barrier, std::move(mine));
        const Record record = by->second.record;
        return Message(
            Says::is_ended, std::move(mine),
            Message(Says::thread,
                    place.block->thread(place.block->warps[warp_of(record)], lane_of(record))));
      });
}

void check_made_known(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                      const Mbarrier& barrier) {
  Block& block = *warp.block;
  const Clock& clock = block.checker->order.of(warp.index * kLanes + lane);
  const auto knows = [&](const Known& known) {
    return covers(known, barrier.made_in, barrier.made);
  };
  const bool same_thread =
      barrier.made_in == block.linear && (barrier.made & kWho) == (warp.index << 5 | lane);
  if (!same_thread || knows(clock.made) || knows(clock.proxied) || knows(clock.seen) ||
      stamp_of(barrier.made) < block.checker->shadow.last_barrier())
    return;
  block.checker->report(device::FindingKind::proxy, access.id, site_of(barrier.made), warp, lane,
                        [&] { return Message(Says::barrier_not_made_known, name_of(place)); });
}

bool in_use(const BarrierPlace& place, const Mbarrier& barrier) {
  const auto& under_way = place.block->memory_barriers.under_way;
  return barrier.expected && (barrier.pending != barrier.expected || barrier.bytes != 0 ||
                              std::any_of(under_way.begin(), under_way.end(), [&](const auto& one) {
                                return one.barrier == place.offset;
                              }));
}

void check_overwritten_barriers(Warp& warp, const MemoryOperand& access, u32 mask,
                                const LaneOffsets& at) {
  constexpr u32 kBytes = 8;
  Block& block = *warp.block;
  const auto& all = block.memory_barriers.all;
  const u32 begin = all.begin()->first, end = all.rbegin()->first + kBytes;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left)), first = at.of[lane];
    if (first >= end || first + access.width() <= begin) continue;
    const auto found = all.lower_bound(first - std::min(first, kBytes - 1));
    if (found == all.end() || found->first >= first + access.width()) continue;
    block.checker->report(
        device::FindingKind::phase, access.id, site_of(found->second.made), warp, lane, [&] {
          const BarrierPlace place{&block, found->first};
          return Message(Says::writes_over_barrier,
                         does(access, block.shared.layout().describe(first, access.width())),
                         phase_of(place, found->second.phase));
        });
    return;
  }
}

// A copy's arrival passes on nothing but the copy. It comes behind what its lane had waited for all
// the same, when it told the barrier of it.
void check_seen(const BarrierPlace& place, const Mbarrier& barrier) {
  Block& block = *place.block;
  if (!block.checks) return;
  for (const SeenPhase& seen : barrier.seen) {
    bool behind = false;
    for (u32 left = seen.lanes; left && !behind; left &= left - 1) {
      const Record record = seen.record | static_cast<Record>(std::countr_zero(left));
      behind = covers(barrier.gathered.seen, seen.block, record) ||
               covers(barrier.begun, seen.block, record);
    }
    if (behind) continue;
    Warp& warp = block.warps[warp_of(seen.record)];
    block.checker->report(
        device::FindingKind::phase, site_of(seen.record), kNone, warp,
        static_cast<u32>(std::countr_zero(seen.lanes)), [&] {
          if (!barrier.phase)
            return Message(Says::first_wait_not_seen, name_of(place), barrier.phase);
          return Message(Says::wait_not_seen, barrier.phase - 1, name_of(place), barrier.phase);
        });
  }
}

void report_arrivals(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                     const Mbarrier& barrier, u32 count, bool must_not_end) {
  warp.block->checker->report(device::FindingKind::phase, access.id, kNone, warp, lane, [&] {
    Message often(Says::arrives_too_often, Count{count}, phase_of(place, barrier.phase),
                  Count{barrier.expected}, Count{barrier.pending});
    return must_not_end && count <= barrier.pending
               ? Message(Says::must_not_be_last, std::move(often))
               : often;
  });
}

void report_early_phase(const BarrierPlace& place, const Tracked& copy) {
  copy.by->block->checker->report(
      device::FindingKind::phase, copy.access->id, kNone, *copy.by, copy.lane, [&] {
        return Message(Says::ends_early, phase_of(place, copy.phase), Count{copy.bytes.size()});
      });
}

namespace {

// When a lane last went on behind a phase of the barrier; 0: not behind the one that ended last.
u32 waited_at(const Mbarrier& barrier, const Warp& warp, u32 lane) {
  u32 last = 0;
  for (const SeenPhase& seen : barrier.seen)
    if (seen.block == warp.block->linear && warp_of(seen.record) == warp.index &&
        (seen.lanes >> lane & 1))
      last = std::max(last, stamp_of(seen.record));
  return last;
}

} // namespace

Message missing_phase(const Warp& warp, u32 lane, u64 by, Record before) {
  Block& block = *warp.block;
  BarrierPlace telling{&block}, waited{&block};
  u64 first = ~u64{0}, told = 0, seen = 0; // first: when the phase `told` ended, if it has
  u32 last = 0;
  bool any = false;
  const std::vector<Block*> alone{&block};
  for (Block* each : block.cluster ? block.cluster->blocks : alone) {
    for (const auto& [offset, barrier] : each->memory_barriers.all) {
      any = true;
      const bool complete = covers(barrier.completed.seen, by, before);
      if (complete || covers(barrier.gathered.seen, by, before)) {
        const u64 when = complete ? barrier.ended : ~u64{0} - 1;
        if (when < first) {
          first = when;
          told = barrier.phase - complete;
          telling = {each, offset};
        }
      }
      // Who waited for the phase before the first one has waited for nothing.
      if (const u32 at = waited_at(barrier, warp, lane); barrier.phase && at > last) {
        last = at;
        seen = barrier.phase - 1;
        waited = {each, offset};
      }
    }
  }
  const bool tells = first != ~u64{0};
  if (last && !(tells && !(telling == waited)))
    return Message(Says::phase_tells_nothing, phase_for(block, waited, seen));
  if (tells) return Message(Says::phase_not_waited_for, phase_for(block, telling, told));
  return any ? Message(Says::no_phase_waited_for) : Message();
}

namespace {

Message missing_arrivals(const Mbarrier& barrier) {
  return Message(barrier.expected == 1 ? Says::arrival_missing : Says::arrivals_missing,
                 Count{barrier.pending}, Count{barrier.expected});
}

// What a phase lacks to be complete.
Message lacking(const Mbarrier& barrier) {
  if (barrier.bytes == 0) return missing_arrivals(barrier);
  Message bytes = barrier.bytes > 0
                      ? Message(Says::bytes_do_not_come, Count{static_cast<u64>(barrier.bytes)})
                      : Message(Says::bytes_not_told_of, Count{static_cast<u64>(-barrier.bytes)});
  if (!barrier.pending) return bytes;
  return Message(Says::both, missing_arrivals(barrier), std::move(bytes));
}

} // namespace

Message describe_wait(const Operation& op, u32 lanes, u32 valid, const BarrierPlaces& places) {
  const auto first = static_cast<std::size_t>(std::countr_zero(valid));
  if (!valid) return Message(Says::waits_for_nothing);
  const BarrierPlace& place = places[first];
  const Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
  Message never_ends(Says::never_ends, Count{static_cast<u64>(std::popcount(lanes))},
                     phase_of(place, barrier ? barrier->phase : 0),
                     barrier ? lacking(*barrier) : Message(Says::no_barrier_any_more));
  if (!barrier || !(op.immediate & kParity)) return never_ends;
  const bool untouched = barrier->pending == barrier->expected && barrier->bytes == 0;
  if (barrier->phase == 1 && untouched)
    return Message(Says::other_parity, std::move(never_ends), barrier->phase - 1,
                   (barrier->phase - 1) & 1);
  if (barrier->phase <= 1) return never_ends;
  return Message(Says::came_too_late, std::move(never_ends), barrier->phase - 2);
}

} // namespace course::emulator
