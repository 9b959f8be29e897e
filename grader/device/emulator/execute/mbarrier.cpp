// Over 400 lines, as each operation on a barrier is a few lines over the same few functions.
#include "device/emulator/execute/mbarrier.hpp"

#include "device/emulator/check/history.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/sent_sources.hpp"
#include "device/emulator/execute/async_copy.hpp"
#include "device/emulator/execute/bulk_copy.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/phase_wait.hpp"
#include "device/emulator/execute/remote_memory.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

template <typename F> // f(place, lanes)
void for_each_barrier(const BarrierPlaces& places, u32 mask, F&& f) {
  while (mask) {
    const BarrierPlace& place = places[lowest(mask)];
    u32 lanes = 0;
    for (u32 left = mask; left; left &= left - 1)
      if (places[lowest(left)] == place) lanes |= left & (0u - left);
    mask &= ~lanes;
    f(place, lanes);
  }
}

// As SASS has it: the phase in bit 63, the arrivals that are missing, negated, from bit 43. The
// rest is ours.
u64 state_of(const Mbarrier& barrier) {
  constexpr u64 kCount = kMostArrivals;
  return (barrier.phase & 1) << 63 | ((0 - u64{barrier.pending}) & kCount) << 43 |
         (barrier.phase & 0xffffffff);
}

// Whoever has looked there in vain may look again.
void turn(const BarrierPlace& place) {
  if (!place.block->launch->chooser) return;
  ++place.block->memory_barriers.turns[place.offset];
  ++place.block->memory_barriers.progress;
}

void end_phase(const BarrierPlace& place, Mbarrier& barrier) {
  Block& block = *place.block;
  turn(place);
  check_seen(place, barrier);
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed = std::exchange(barrier.gathered, {});
  barrier.begun = nullptr;
  barrier.seen.clear();
  barrier.looks = 0;
  barrier.ended = ++block.memory_barriers.progress;
  if (block.memory_barriers.parked) wake_parked(block);
}

void settle_phase(const BarrierPlace& place, Mbarrier& barrier) {
  ++place.block->memory_barriers.progress;
  // A barrier that all have dropped out of has no phases any more.
  if (barrier.pending == 0 && barrier.bytes == 0 && barrier.expected) end_phase(place, barrier);
}

void arrive(const BarrierPlace& place, Mbarrier& barrier, u32 count) {
  barrier.pending -= std::min(count, barrier.pending);
  settle_phase(place, barrier);
}

// The blocks that these barriers are in have to stay until the arrivals are there.
void note_remote(Warp& warp, const MemoryOperand& access, u32 mask, const BarrierPlaces& places) {
  for (u32 left = mask; left; left &= left - 1) {
    const BarrierPlace& place = places[lowest(left)];
    if (place.block != warp.block && place.block->memory_barriers.find(place.offset))
      place.block->checker->remote.note(warp, access, lowest(left), *place.block, place.offset);
  }
}

// A lane's number of arrivals or bytes is checked against what a barrier can count.
bool check_number(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                  u64 number, Says too_many) {
  if (number <= kMostArrivals) return true;
  warp.block->checker->report(device::FindingKind::phase, access.id, kNone, warp, lane, [&] {
    return Message(too_many, name_of(place), Count{number}, Count{kMostArrivals});
  });
  return false;
}

// Bytes that a bulk copy brings, chunk by chunk: a phase that expects less is complete before all
// are there.
void bring_bytes(const BarrierPlace& place, Mbarrier& barrier, const Tracked& copy) {
  const auto size = static_cast<s64>(copy.bytes.size());
  if (size == 0) return;
  const bool early = barrier.phase == copy.phase && barrier.pending == 0 && barrier.bytes < size;
  if (barrier.phase != copy.phase || (early && barrier.bytes > 0 && barrier.bytes % 16 == 0))
    report_early_phase(place, copy);
  if (early && barrier.bytes > 0 && barrier.bytes % 16 == 0) {
    const s64 behind = size - barrier.bytes;
    barrier.bytes = 0;
    settle_phase(place, barrier);
    barrier.bytes -= behind;
  } else {
    barrier.bytes -= size;
  }
  settle_phase(place, barrier);
}

void come(Block& block, const Tracked& one) {
  const BarrierPlace place{&block, one.barrier};
  Block& from = *one.by->block;
  if (from.checks) from.checker->shadow.next_step(*one.by);
  if (one.what == Tracked::What::copies)
    complete_copies(*one.by, one.lane, one.before);
  else
    land(block, one);
  if (one.read) from.launch->histories->end_read(*one.by, one.read);
  Mbarrier* barrier = block.memory_barriers.find(one.barrier);
  if (!barrier) return; // invalidated meanwhile, which is reported where it is done
  if (from.checks) {
    Known& gathered = barrier->gathered.seen; // of 1,024 threads, one after the other
    gathered = with_thread(std::move(gathered), *one.by, one.lane);
    if (one.access->shared) gathered = with_sent(std::move(gathered), place, one);
  }
  if (from.checks && one.told) barrier->begun = join(std::move(barrier->begun), one.told);
  if (one.what == Tracked::What::copies)
    arrive(place, *barrier, 1);
  else
    bring_bytes(place, *barrier, one);
}

template <typename Wanted>
bool let_come_if(Block& block, Wanted&& wanted) {
  auto& under_way = block.memory_barriers.under_way;
  std::vector<Tracked> coming;
  const auto rest = std::stable_partition(under_way.begin(), under_way.end(),
                                          [&](const Tracked& one) { return !wanted(one); });
  std::move(rest, under_way.end(), std::back_inserter(coming));
  under_way.erase(rest, under_way.end());
  for (const Tracked& one : coming) come(block, one);
  return !coming.empty();
}

} // namespace

bool let_come(Block& block, std::uint32_t barrier) {
  if (block.memory_barriers.under_way.empty()) return false;
  return let_come_if(block, [=](const Tracked& one) { return one.barrier == barrier; });
}

bool let_all_come(Block& block) {
  return let_come_if(block, [](const Tracked&) { return true; });
}

void let_one_come(Block& block, std::uint32_t agent) {
  let_come_if(block, [=](const Tracked& one) { return one.agent == agent; });
}

u32 barrier_places(Warp& warp, const MemoryOperand& access, u32 mask, BarrierPlaces& places) {
  Block& block = *warp.block;
  LaneOffsets at;
  if (access.space == ptx::Space::generic) {
    LaneAddresses addresses;
    point(warp, access, addresses);
    for (int i = 0; i < kLanes; ++i)
      at.of[i] = in_window(addresses.of[i], kSharedWindow)
                     ? static_cast<u32>(addresses.of[i] - kSharedWindow)
                     : 0xc0000000;
  } else {
    point_in_cluster(warp, access, at);
  }
  u32 remote = 0;
  if (block.cluster)
    for (u32 left = mask; left; left &= left - 1) {
      const u32 lane = lowest(left);
      if ((at.of[lane] & kRankBits) == block.rank_bits) continue;
      Block* target = block_at(warp, access, lane, at.of[lane], 8);
      places[lane] = {target, at.of[lane] & ~kRankBits};
      (target ? remote : mask) ^= 1u << lane;
    }
  take_rank_off(at, block.rank_bits);
  const u32 own = keep_valid(warp, access, mask & ~remote, at, block.shared.layout());
  for (u32 left = own; left; left &= left - 1) places[lowest(left)] = {&block, at.of[lowest(left)]};
  return own | remote;
}

Mbarrier* barrier_for(Warp& warp, const MemoryOperand& access, u32 lane, const BarrierPlace& place,
                      Says does) {
  Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
  Block& block = *warp.block;
  if (!barrier) {
    report_no_barrier(warp, access, lane, place, does);
    return nullptr;
  }
  if (block.checks) check_made(warp, access, lane, place, *barrier, does);
  return barrier;
}

// ---- operations

void initialise_barrier(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  BarrierPlaces places;
  mask = barrier_places(warp, *op.access, mask, places);
  const u32* counts = lanes_at<const u32>(warp.frame, op.slot[1]);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    if (counts[lane] == 0 || counts[lane] > kMostArrivals) {
      block.checker->report(device::FindingKind::phase, op.access->id, kNone, warp, lane, [&] {
        return Message(Says::wrong_count, name_of(places[lane]), Count{counts[lane]},
                       Count{kMostArrivals});
      });
    }
    Mbarrier& barrier = block.memory_barriers.all[places[lane].offset];
    if (block.checks && in_use(places[lane], barrier))
      block.checker->report(
          device::FindingKind::phase, op.access->id, site_of(barrier.made), warp, lane, [&] {
            return Message(Says::initialised_again,
                           Message(Says::phase, barrier.phase, name_of(places[lane])));
          });
    if (block.checks)
      check_unused(warp, *op.access, lane, places[lane], barrier, Says::initialises);
    block.memory_barriers.ended.erase(places[lane].offset);
    turn(places[lane]);
    barrier = {};
    barrier.expected = barrier.pending = std::clamp(counts[lane], 1u, kMostArrivals);
    barrier.made_in = block.linear;
    barrier.made = record(warp.stamp, op.access->id, warp.index) | lane;
    if (!block.checks) continue;
    LaneOffsets at;
    at.of.fill(places[lane].offset);
    block.checker->shadow.write(warp, *op.access, 1u << lane, at);
  }
}

void invalidate_barrier(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  mask = barrier_places(warp, *op.access, mask, places);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    let_come(*warp.block, places[lane].offset);
    const Mbarrier* barrier = barrier_for(warp, *op.access, lane, places[lane], Says::invalidates);
    if (!barrier) continue;
    MemoryBarriers& barriers = warp.block->memory_barriers;
    if (warp.block->checks)
      check_unused(warp, *op.access, lane, places[lane], *barrier, Says::invalidates);
    barriers.ended[places[lane].offset] = {warp.block->linear,
                                           record(warp.stamp, op.access->id, warp.index) | lane};
    barriers.all.erase(places[lane].offset);
    turn(places[lane]);
  }
}

void arrive_at_barrier(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  BarrierPlaces places;
  const MemoryOperand& access = *op.access;
  mask = barrier_places(warp, access, mask, places);
  const u32* numbers = lanes_at<const u32>(warp.frame, op.slot[1]);
  u64* states = lanes_at<u64>(warp.frame, op.slot[0]);
  const bool releases = block.checks && (op.immediate & kReleases);
  if (releases) {
    note_remote(warp, access, mask, places);
    // Whoever waits for the phase is behind the arrival, too.
    for_each_barrier(places, mask, [&](const BarrierPlace& place, u32 lanes) {
      note_use(warp, access, lanes, place);
    });
    block.checker->shadow.next_step(warp);
  }
  for_each_barrier(places, mask, [&](const BarrierPlace& place, u32 lanes) {
    const Passed passed = releases ? passed_by(warp, lanes) : Passed{};
    for (u32 left = lanes; left; left &= left - 1) {
      const u32 lane = lowest(left);
      Mbarrier* barrier = barrier_for(warp, access, lane, place, Says::arrives_at);
      if (!barrier) continue;
      const bool expects = op.immediate & kExpects;
      if (!check_number(warp, access, lane, place, numbers[lane],
                        expects ? Says::too_many_bytes : Says::too_many_arrivals))
        continue;
      const u32 count = expects ? 1 : numbers[lane];
      states[lane] = state_of(*barrier);
      if (count > barrier->pending || (op.immediate & kNoComplete && count == barrier->pending))
        report_arrivals(warp, access, lane, place, *barrier, count, op.immediate & kNoComplete);
      if (op.immediate & kDrops && barrier->expected) --barrier->expected;
      if (expects) barrier->bytes += numbers[lane];
      if (releases) barrier->gathered.add(passed);
      arrive(place, *barrier, count);
    }
  });
}

void expect_bytes(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  mask = barrier_places(warp, *op.access, mask, places);
  const u32* bytes = lanes_at<const u32>(warp.frame, op.slot[1]);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    Mbarrier* barrier = barrier_for(warp, *op.access, lane, places[lane], Says::tells_of_bytes);
    if (warp.block->checks) note_use(warp, *op.access, 1u << lane, places[lane]);
    if (barrier &&
        check_number(warp, *op.access, lane, places[lane], bytes[lane], Says::too_many_bytes)) {
      barrier->bytes += bytes[lane];
      ++places[lane].block->memory_barriers.progress;
    }
  }
}

void complete_bytes(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  mask = barrier_places(warp, *op.access, mask, places);
  const u32* bytes = lanes_at<const u32>(warp.frame, op.slot[1]);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    Mbarrier* barrier = barrier_for(warp, *op.access, lane, places[lane], Says::tells_of_bytes);
    if (warp.block->checks) note_use(warp, *op.access, 1u << lane, places[lane]);
    if (!barrier ||
        !check_number(warp, *op.access, lane, places[lane], bytes[lane], Says::too_many_bytes))
      continue;
    barrier->bytes -= bytes[lane];
    settle_phase(places[lane], *barrier);
  }
}

void arrive_when_copied(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  BarrierPlaces places;
  mask = barrier_places(warp, *op.access, mask, places);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    Mbarrier* barrier = barrier_for(warp, *op.access, lane, places[lane], Says::arrives_at);
    if (!barrier) continue;
    if (block.checks) note_use(warp, *op.access, 1u << lane, places[lane]);
    if (op.immediate & kIncreases)
      ++barrier->pending;
    else if (barrier->pending == 0)
      report_arrivals(warp, *op.access, lane, places[lane], *barrier, 1, false);
    Tracked one;
    one.what = Tracked::What::copies;
    one.by = &warp;
    one.lane = lane;
    one.barrier = places[lane].offset;
    one.before = warp.copies.started;
    one.access = op.access;
    if (block.checks) one.told = passed_by(warp, 1u << lane).seen;
    block.memory_barriers.under_way.push_back(std::move(one));
  }
}

namespace {

// At liberty the first look at a phase that is not complete is, and some of those that follow;
// where orders are chosen, what comes by itself is chosen too.
bool in_vain(const Warp& warp, const BarrierPlace& place) {
  if (warp.block->launch->chooser) [[unlikely]]
    return true;
  Liberties* liberties = warp.block->launch->liberties;
  Mbarrier* barrier = liberties ? place.block->memory_barriers.find(place.offset) : nullptr;
  return barrier && (barrier->looks++ == 0 || liberties->one_in(2));
}

} // namespace

u32 lanes_through(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  const u32 valid = barrier_places(warp, *op.access, mask, places);
  for_each_barrier(places, valid, [&](const BarrierPlace& place, u32) {
    if (!in_vain(warp, place)) let_come(*place.block, place.offset);
  });
  return lanes_past(warp, op, mask);
}

Vain says_so(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  const u32 valid = barrier_places(warp, *op.access, mask, places);
  if (!valid) return Vain::suspended;
  const BarrierPlace& place = places[lowest(valid)];
  const Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
  if (!barrier) return Vain::suspended;
  if (barrier->looks == 1) return Vain::at_once;
  return warp.block->launch->liberties->one_in(2) ? Vain::in_turn : Vain::suspended;
}

u32 lanes_past(Warp& warp, const Operation& op, u32 mask) {
  BarrierPlaces places;
  const u32 valid = barrier_places(warp, *op.access, mask, places);
  const u32* parities = lanes_at<const u32>(warp.frame, op.slot[2]);
  const u64* states = lanes_at<const u64>(warp.frame, op.slot[2]);
  u32 through = mask & ~valid;
  for_each_barrier(places, valid, [&](const BarrierPlace& place, u32 lanes) {
    if (warp.block->checks) note_use(warp, *op.access, lanes, place);
    for (u32 left = lanes; left; left &= left - 1) {
      const u32 lane = lowest(left);
      const Mbarrier* barrier = barrier_for(warp, *op.access, lane, place, Says::waits_for);
      const bool waits =
          barrier &&
          (op.immediate & kParity ? (barrier->phase & 1) == (parities[lane] & 1)
                                  : (barrier->phase & 0xffffffff) == (states[lane] & 0xffffffff));
      if (!waits) through |= 1u << lane;
    }
  });
  return through;
}

void see_phase(Warp& warp, const Operation& op, u32 lanes) {
  if (!warp.block->checks) return;
  BarrierPlaces places;
  lanes = barrier_places(warp, *op.access, lanes, places);
  for_each_barrier(places, lanes, [&](const BarrierPlace& place, u32 those) {
    Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
    if (!barrier) return;
    if (op.immediate & kAcquires) take_over(warp, those, barrier->completed);
    barrier->seen.push_back(
        {warp.block->linear, record(warp.stamp, op.access->id, warp.index), those});
  });
}

void test_phase(Warp& warp, const Operation& op, u32 mask) {
  const u32 through = lanes_through(warp, op, mask);
  u32& result = predicate_at(warp.frame, op.slot[0]);
  result = (result & ~mask) | through;
  if (through) see_phase(warp, op, through);
  // It is the others' turn.
  if (through == mask) return;
  warp.touched_atomics = true;
  warp.polled = &op;
}

void count_pending(Warp& warp, const Operation& op, u32 mask) {
  const u64* states = lanes_at<const u64>(warp.frame, op.slot[1]);
  u32* counts = lanes_at<u32>(warp.frame, op.slot[0]);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    counts[lane] = (0 - static_cast<u32>(states[lane] >> 43)) & kMostArrivals;
  }
}

} // namespace course::emulator
