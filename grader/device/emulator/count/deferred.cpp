#include "device/emulator/count/deferred.hpp"

#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

using Loop = Deferred::Loop;
using LaneRounds = std::array<std::uint32_t, kLanes>;

void count_at(AccessCounter& counter, const MemoryOperand& access, Warp& warp, u32 lanes,
              LaneOffsets at) {
  if (lanes != kAllLanes) settle(at, lanes);
  count_shared_now(counter, access, warp, lanes, at);
}
void count_at(AccessCounter& counter, const MemoryOperand& access, Warp& warp, u32 lanes,
              LaneAddresses at) {
  if (lanes != kAllLanes) settle(at, lanes);
  count_global_now(counter, access, warp, lanes, at);
}
bool is_shared(const DeferredRequest& request) {
  return request.access->space == ptx::Space::shared;
}
void put(DeferredRequest& request, const LaneOffsets& at) {
  request.offset = at.of;
}
void put(DeferredRequest& request, const LaneAddresses& at) {
  request.address = at.of;
}
void count(Warp& warp, const DeferredRequest& request, u32 lanes) {
  if (is_shared(request))
    count_at(*request.counter, *request.access, warp, lanes, LaneOffsets{request.offset});
  else
    count_at(*request.counter, *request.access, warp, lanes, LaneAddresses{request.address});
}

const Unrolled& unrolled(const Warp& warp, u32 index) {
  return warp.block->launch->entry->loops[index];
}

void drop(std::vector<DeferredRequest>& requests, u32 lanes) {
  std::erase_if(requests, [&](DeferredRequest& request) {
    request.active &= ~lanes;
    return request.active == 0;
  });
}

// In its place: such a request is large, and there is one for most accesses of an unrolled loop.
template <typename Lanes>
void add(std::vector<DeferredRequest>& to, AccessCounter& counter, const MemoryOperand& access,
         u32 active, u32 round, const Lanes& at) {
  DeferredRequest& request = to.emplace_back();
  request.access = &access;
  request.counter = &counter;
  request.active = active;
  request.round = round;
  put(request, at);
}

template <typename Lanes>
void keep(AccessCounter& counter, const MemoryOperand& access, Warp& warp, u32 active,
          const Lanes& at) {
  Deferred& deferred = warp.deferred;
  if (access.deferral.until == Deferral::Until::place) {
    // Lanes that load again have not come to the place since.
    for (DeferredRequest& before : deferred.sunk)
      if (before.access == &access) before.active &= ~active;
    drop(deferred.sunk, 0);
    return add(deferred.sunk, counter, access, active, 0, at);
  }
  Loop& loop = deferred.loops[access.deferral.index];
  if (unrolled(warp, access.deferral.index).chunks.empty()) {
    u32 merged = 0;
    for (int i = 0; i < kLanes; ++i)
      merged |= loop.rounds[i] <= access.deferral.merged ? kLaneBit[i] : 0;
    if (active &= ~merged) count_at(counter, access, warp, active, at);
    return;
  }
  for (u32 left = active; left;) {
    const std::uint8_t begun = loop.rounds[std::countr_zero(left)];
    u32 together = 0;
    for (int i = 0; i < kLanes; ++i) together |= loop.rounds[i] == begun ? kLaneBit[i] : 0;
    add(loop.requests, counter, access, active & together, begun ? begun - 1u : 0, at);
    left &= ~together;
  }
}

u32 lanes_with(const Loop& loop, u32 rounds) {
  u32 lanes = 0;
  for (int i = 0; i < kLanes; ++i) lanes |= loop.rounds[i] == rounds ? kLaneBit[i] : 0;
  return lanes;
}

// Lanes that have all rounds of the first chunk did them together.
void count_full_chunk(Warp& warp, Loop& loop, const Unrolled& how) {
  const u32 lanes = lanes_with(loop, how.chunks[0].rounds);
  if (!lanes) return;
  for (const DeferredRequest& request : loop.requests)
    if (request.active & lanes && request.round < request.access->deferral.executed[0])
      count(warp, request, request.active & lanes);
  drop(loop.requests, lanes);
  for (int i = 0; i < kLanes; ++i)
    if (lanes & kLaneBit[i]) loop.rounds[i] = 0;
}

// The requests of one access by lanes that are each in a round of their own, as one.
DeferredRequest gather(const Loop& loop, const DeferredRequest& like, u32 lanes,
                       const LaneRounds& round) {
  DeferredRequest all = like;
  all.active = 0;
  for (const DeferredRequest& request : loop.requests) {
    if (request.access != like.access) continue;
    for (u32 left = request.active & lanes; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (round[lane] != request.round) continue;
      all.active |= kLaneBit[lane];
      if (is_shared(request))
        all.offset[lane] = request.offset[lane];
      else
        all.address[lane] = request.address[lane];
    }
  }
  return all;
}

// One chunk of what is left of the rounds, by lanes that go through it together.
void count_chunk(Warp& warp, const Loop& loop, const Unrolled& how, std::size_t chunk, u32 lanes,
                 const LaneRounds& done) {
  std::vector<const MemoryOperand*> seen;
  for (const DeferredRequest& like : loop.requests) {
    if (std::find(seen.begin(), seen.end(), like.access) != seen.end()) continue;
    seen.push_back(like.access);
    const u32 rounds = std::min(how.chunks[chunk].rounds, like.access->deferral.executed[chunk]);
    LaneRounds round = done;
    for (u32 i = 0; i < rounds; ++i) {
      const DeferredRequest all = gather(loop, like, lanes, round);
      if (all.active) count(warp, all, all.active);
      for (u32& one : round) ++one;
    }
  }
}

void count_rest(Warp& warp, const Loop& loop, const Unrolled& how, u32 mask) {
  LaneRounds done{};
  for (std::size_t chunk = 1; chunk < how.chunks.size(); ++chunk) {
    const u32 rounds = how.chunks[chunk].rounds;
    for (;;) {
      u32 lanes = 0;
      for (int i = 0; i < kLanes; ++i)
        if (mask & kLaneBit[i] && done[i] + rounds <= loop.rounds[i]) lanes |= kLaneBit[i];
      if (!lanes) break;
      count_chunk(warp, loop, how, chunk, lanes, done);
      for (int i = 0; i < kLanes; ++i)
        if (lanes & kLaneBit[i]) done[i] += rounds;
      if (!how.chunks[chunk].repeats) break;
    }
  }
}

} // namespace

void defer(AccessCounter& counter, const MemoryOperand& access, Warp& warp, u32 active,
           const LaneOffsets& at) {
  keep(counter, access, warp, active, at);
}
void defer(AccessCounter& counter, const MemoryOperand& access, Warp& warp, u32 active,
           const LaneAddresses& at) {
  keep(counter, access, warp, active, at);
}

void reach_place(Warp& warp, const Operation& op, u32 mask) {
  auto& requests = warp.deferred.sunk;
  for (DeferredRequest& request : requests) {
    if (request.access->deferral.index != op.immediate) continue;
    if (const u32 lanes = request.active & mask) count(warp, request, lanes);
    request.active &= ~mask;
  }
  drop(requests, 0);
}

void begin_round(Warp& warp, const Operation& op, u32 mask) {
  Loop& loop = warp.deferred.loops[op.immediate];
  const Unrolled& how = unrolled(warp, op.immediate);
  constexpr std::uint8_t kMany = 255; // more than are ever merged or go together
  if (!how.chunks.empty()) count_full_chunk(warp, loop, how);
  for (int i = 0; i < kLanes; ++i)
    loop.rounds[i] += mask & kLaneBit[i] && loop.rounds[i] < kMany ? 1 : 0;
}

void leave_loop(Warp& warp, const Operation& op, u32 mask) {
  Loop& loop = warp.deferred.loops[op.immediate];
  const Unrolled& how = unrolled(warp, op.immediate);
  if (!how.chunks.empty()) count_full_chunk(warp, loop, how);
  if (!loop.requests.empty()) {
    count_rest(warp, loop, how, mask);
    drop(loop.requests, mask);
  }
  for (int i = 0; i < kLanes; ++i)
    if (mask & kLaneBit[i]) loop.rounds[i] = 0;
}

} // namespace course::emulator
