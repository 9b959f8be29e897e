#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/execute/remote_memory.hpp"
#include "device/emulator/state/cluster.hpp"

namespace course::emulator {

// Each lane's bytes are under way like those of a bulk copy, to the block whose barrier is told.
void start_store_async(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  LaneOffsets at;
  point(warp, access, at);
  BarrierPlaces places;
  mask = barrier_places(warp, *access.barrier, mask, places);
  if (block.checks) block.checker->shadow.next_step(warp);
  u32 sent = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    Block* target = block_at(warp, access, lane, at.of[lane], access.width());
    const Mbarrier* barrier =
        barrier_for(warp, *access.barrier, lane, places[lane], Says::tells_of_bytes);
    if (!target || !barrier) continue;
    if (target != places[lane].block) {
      block.checker->report(device::FindingKind::bulk_copy, access.id, kNone, warp, lane, [&] {
        return Message(Says::stores_to_other_block, target->index, places[lane].block->index);
      });
      continue;
    }
    sent |= 1u << lane;
    Tracked store;
    store.what = access.combine ? Tracked::What::join : Tracked::What::bulk;
    store.by = &warp;
    store.lane = lane;
    store.barrier = places[lane].offset;
    store.access = &access;
    store.to = at.of[lane] & ~kRankBits;
    store.phase = barrier->phase;
    const std::size_t first = access.combine ? 1 : 0;
    for (std::size_t c = 0; c < access.components; ++c) {
      const std::byte* value = warp.frame + access.value[first + c] + lane * access.element;
      store.bytes.insert(store.bytes.end(), value, value + access.element);
    }
    target->landing.expect(store.to, access.width());
    target->memory_barriers.under_way.push_back(std::move(store));
  }
  if (!sent) return;
  count_remote(counter_of(block, access.id), access, warp, sent, at);
}

} // namespace course::emulator
