#include "device/emulator/check/phases.hpp"

#include "device/emulator/execute/block.hpp"
#include "device/emulator/execute/lanes.hpp"
#include "device/emulator/execute/launch.hpp"
#include "device/model/grouped.hpp"

#include <bit>

namespace course::emulator {
namespace {

std::string times(u32 count) {
  return count == 1 ? "once" : model::grouped(count) + " times";
}

std::string phase_of(const BarrierPlace& place, u64 phase) {
  return "phase " + std::to_string(phase) + " of " + name_of(place);
}

} // namespace

void check_made(Warp& warp, const Access& access, u32 lane, const BarrierPlace& place,
                const Mbarrier& barrier, const char* what) {
  Block& block = *warp.block;
  const bool own = barrier.made_in == block.linear;
  const bool ordered =
      own ? block.shared.shadow().ordered(barrier.made, warp, lane)
          : block.order.covers(warp.index * kLanes + lane, barrier.made_in, barrier.made);
  if (ordered) return;
  block.report(
      device::FindingKind::race, access.id, site_of(barrier.made), warp, lane,
      [&] {
        const std::string who =
            "thread " + text(place.block->thread(place.block->warps[warp_of(barrier.made)],
                                                 lane_of(barrier.made)));
        return std::string(what) + " " + name_of(place) + ", which " + who + " initialised, and " +
               (own ? no_barrier_between(warp_of(barrier.made) == warp.index)
                    : "no barrier of the cluster is between the two");
      },
      own ? device::Meeting::in_any_order : device::Meeting::between_blocks);
}

void check_seen(const BarrierPlace& place, const Mbarrier& barrier) {
  Block& block = *place.block;
  if (!block.checks) return;
  for (const SeenPhase& seen : barrier.seen) {
    bool behind = false;
    for (u32 left = seen.lanes; left && !behind; left &= left - 1)
      behind = covers(barrier.gathered.seen, seen.block,
                      seen.record | static_cast<Record>(std::countr_zero(left)));
    if (behind) continue;
    Warp& warp = block.warps[warp_of(seen.record)];
    block.report(device::FindingKind::phase, site_of(seen.record), kNone, warp,
                 static_cast<u32>(std::countr_zero(seen.lanes)), [&] {
                   const std::string before = barrier.phase
                                                  ? "phase " + std::to_string(barrier.phase - 1)
                                                  : std::string("the phase before the first");
                   return "waits for " + before + " of " + name_of(place) + ", and phase " +
                          std::to_string(barrier.phase) +
                          " can end before this wait has seen it: nobody who arrives for that one "
                          "comes behind the wait. Two phases on, a parity is the same again, and "
                          "the wait may never end";
                 });
  }
}

void report_arrivals(Warp& warp, const Access& access, u32 lane, const BarrierPlace& place,
                     const Mbarrier& barrier, u32 count, bool must_not_end) {
  warp.block->report(device::FindingKind::phase, access.id, kNone, warp, lane, [&] {
    const std::string of = phase_of(place, barrier.phase) + ", which expects " +
                           model::grouped(barrier.expected) + " and has " +
                           model::grouped(barrier.pending) + " left";
    return "arrives " + times(count) + " for " + of +
           (must_not_end && count <= barrier.pending
                ? ": an arrival with .noComplete must not be the last"
                : "");
  });
}

void report_early_phase(const BarrierPlace& place, const Tracked& copy) {
  copy.by->block->report(
      device::FindingKind::phase, copy.access->id, kNone, *copy.by, copy.lane, [&] {
        return phase_of(place, copy.phase) + " ends before the " +
               model::grouped(copy.bytes.size()) +
               " bytes of this copy are there: it was told to expect fewer than are copied";
      });
}

std::string describe_wait(Warp& warp, const Operation& op, u32 lanes) {
  BarrierPlaces places;
  const u32 valid = barrier_places(warp, *op.access, lanes, places);
  const auto first = static_cast<std::size_t>(std::countr_zero(valid));
  if (!valid) return "waits for a barrier that is not there";
  const BarrierPlace& place = places[first];
  const Mbarrier* barrier = place.block->memory_barriers.find(place.offset);
  const int waiting = std::popcount(lanes);
  std::string message = std::to_string(waiting) + (waiting == 1 ? " lane waits" : " lanes wait") +
                        " here for " + phase_of(place, barrier ? barrier->phase : 0) +
                        ", which never ends: ";
  if (!barrier) return message + "it is no barrier any more";
  const bool bytes = barrier->bytes != 0;
  if (barrier->pending || !bytes)
    message += model::grouped(barrier->pending) + " of its " + model::grouped(barrier->expected) +
               (barrier->expected == 1 ? " arrival" : " arrivals") +
               (barrier->pending == 1 ? " is missing" : " are missing");
  if (barrier->pending && bytes) message += ", and ";
  if (barrier->bytes > 0)
    message += model::grouped(static_cast<u64>(barrier->bytes)) +
               " bytes that it was told to expect do not come";
  if (barrier->bytes < 0)
    message += model::grouped(static_cast<u64>(-barrier->bytes)) +
               " bytes came that it was not told to expect";
  if (op.immediate & kParity && barrier->phase > 1)
    message += " (if the wait was for phase " + std::to_string(barrier->phase - 2) +
               ", it came too late: two phases on, the parity is the same)";
  return message;
}

} // namespace course::emulator
