#include "device/emulator/execute/remote_memory.hpp"

#include "device/emulator/check/late_stores.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/state/cluster.hpp"

namespace course::emulator {
namespace {

using device::FindingKind;

u32 offset_of(u32 address) {
  return address & ~kRankBits;
}

void update(Warp& warp, const MemoryOperand& access, u32 lane, std::byte* place) {
  u64 old = 0, operand = 0, with = 0;
  const u32 bytes = access.element;
  const auto mine = [&](std::size_t v) { return warp.frame + access.value[v] + lane * bytes; };
  std::memcpy(&old, place, bytes);
  std::memcpy(&operand, mine(1), bytes);
  std::memcpy(&with, mine(2), bytes);
  const u64 next = access.combine(old, operand, with);
  std::memcpy(place, &next, bytes);
  if (access.returns) std::memcpy(mine(0), &old, bytes);
}

void move_now(Warp& warp, const MemoryOperand& access, u32 lane, std::byte* place) {
  if (access.direction == Direction::atomic) return update(warp, access, lane, place);
  for (std::size_t c = 0; c < access.components; ++c) {
    std::byte* mine = warp.frame + access.value[c] + lane * access.element;
    std::byte* theirs = place + c * access.element;
    if (access.direction == Direction::load)
      std::memcpy(mine, theirs, access.element);
    else
      std::memcpy(theirs, mine, access.element);
  }
}

void move(Warp& warp, const MemoryOperand& access, u32 lane, Block& target, u32 offset) {
  std::byte* const place = target.shared.bytes() + offset;
  const bool strong = is_strong(access);
  LateStores* const late = strong ? warp.block->launch->late_stores : nullptr;
  if (!late) return move_now(warp, access, lane, place);
  LaneOffsets at;
  at.of[lane] = offset;
  const bool loads = access.direction == Direction::load;
  if (!loads) late->begin_change(warp, access, 1u << lane, target, at);
  move_now(warp, access, lane, place);
  if (loads)
    late->load(warp, access, 1u << lane, target, at);
  else
    late->end_change(access, 1u << lane, target, at);
}

} // namespace

Block* block_at(Warp& warp, const MemoryOperand& access, u32 lane, u32 address, u32 width) {
  const u32 rank = address >> kRankShift, offset = offset_of(address);
  const std::vector<Block*> alone{warp.block};
  const auto& blocks = warp.block->cluster ? warp.block->cluster->blocks : alone;
  const auto report = [&](FindingKind kind, auto&& message) -> Block* {
    warp.block->checker->report(kind, access.id, kNone, warp, lane, message);
    return nullptr;
  };
  if (rank >= blocks.size())
    return report(FindingKind::out_of_bounds,
                  [&] { return Message(Says::no_such_rank, what(access), rank, blocks.size()); });
  Block& target = *blocks[rank];
  const Layout& layout = target.shared.layout();
  const auto place = [&](u32 bytes) { return of_cluster(layout.describe(offset, bytes), target); };
  if (offset % std::min(width, 16u))
    return report(FindingKind::misaligned,
                  [&] { return Message(Says::is_misaligned, what(access), place(1), width); });
  if (!layout.inside(layout.array_at(offset), offset, width))
    return report(FindingKind::out_of_bounds,
                  [&] { return Message(Says::access_is, what(access), place(width)); });
  if (target.live == 0)
    return report(FindingKind::cluster,
                  [&] { return Message(Says::block_has_ended, what(access), place(width)); });
  return &target;
}

u32 access_remote(Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at) {
  Block& block = *warp.block;
  u32 remote = 0;
  if (block.cluster && access.remote)
    for (u32 left = mask; left; left &= left - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(left));
      if ((at.of[lane] & kRankBits) != block.rank_bits) remote |= 1u << lane;
    }
  if (!remote) return 0;
  const MemoryOperand& there = *access.remote;
  if (there.direction == Direction::atomic || there.strong) warp.touched_atomics = true;
  u32 valid = 0;
  for (u32 left = remote; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    Block* target = block_at(warp, there, lane, at.of[lane], there.width());
    if (!target) continue;
    valid |= 1u << lane;
    const u32 offset = offset_of(at.of[lane]);
    if (block.checks) {
      target->checker->remote.note(warp, there, lane, *target, offset);
      if (is_strong(there)) synchronise(warp, there, lane, target->checker->order.place(offset));
    }
    move(warp, there, lane, *target, offset);
  }
  if (remote & ~valid) poison(warp, there, remote & ~valid);
  if (valid) count_remote(counter_of(block, there.id), there, warp, valid, at);
  return remote;
}

} // namespace course::emulator
