#include "device/emulator/check/note_access.hpp"

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/history.hpp"
#include "device/emulator/check/stream_races.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <bit>

namespace course::emulator {
namespace {

// Places at which nothing has been released, by threads that have released nothing, are not kept.
bool concerns(const Warp& warp, const MemoryOperand& access, u32 lane) {
  return order_of(warp, access).releases ||
         warp.block->checker->order.has_fenced(warp.index * kLanes + lane);
}

void synchronise_global(Warp& warp, const MemoryOperand& access, u32 mask,
                        const LaneAddresses& at) {
  const Launch& launch = *warp.block->launch;
  ReleasedPlaces& places = *launch.places;
  const bool acquires = order_of(warp, access).scope == Scope::device &&
                        (access.direction == Direction::load || access.returns);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    if (launch.acquires_from_streams && acquires) [[unlikely]]
      launch.stream_races->acquire(warp, lane, at.of[lane]);
    const auto place = places.find(at.of[lane]);
    if (place != places.end())
      synchronise(warp, access, lane, place->second);
    else if (access.direction != Direction::load && concerns(warp, access, lane))
      synchronise(warp, access, lane, places[at.of[lane]]);
  }
}

} // namespace

void note_global(Warp& warp, const MemoryOperand& access, std::uint32_t mask, Allocation& memory,
                 const LaneAddresses& at) {
  const Launch& launch = *warp.block->launch;
  if (!warp.block->checker->observers.empty()) [[unlikely]]
    warp.block->checker->global_access(warp, access, mask, memory, at);
  if (!warp.block->bulk_reads.writes.empty()) [[unlikely]]
    check_bulk_writes(warp, access, mask, at);
  if (launch.stream_races) [[unlikely]]
    launch.stream_races->note(warp, access, mask, memory, at);
  if (launch.footprint) [[likely]]
    launch.footprint->note(warp, access, mask, memory, at);
  else if (launch.histories)
    launch.histories->note(warp, access, mask, memory, at);
  if (warp.block->checker->order.active() && launch.places && is_strong(access))
    synchronise_global(warp, access, mask, at);
}

void synchronise_shared(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                        const LaneOffsets& at) {
  Block& block = *warp.block;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    synchronise(warp, access, lane, block.checker->order.place(at.of[lane]));
  }
}

} // namespace course::emulator
