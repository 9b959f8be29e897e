#include "device/emulator/check/proxies.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

namespace course::emulator {

std::optional<StoreRecord> last_store(Block& block, u32 offset) {
  if (const RemoteAccess* remote = block.checker->remote.writer_at(offset))
    return StoreRecord{remote->block, remote->record};
  const Record own = block.checker->shadow.writer_at(offset);
  if (!own) return std::nullopt; // nothing in this cluster, which is reported
  return StoreRecord{block.linear, own};
}

Message who_stored(const Block& block, const StoreRecord& store) {
  const device::Dim3 thread =
      block.thread(block.warps[warp_of(store.record)], lane_of(store.record));
  if (store.block == block.linear) return Message(Says::thread, thread);
  return Message(Says::thread_of_block, thread, block.launch->grid.index_of(store.block));
}

void check_proxy(Warp& warp, const MemoryOperand& access, u32 lane, u32 offset, u32 size) {
  Block& block = *warp.block;
  const Known& fenced = block.checker->order.of(warp.index * kLanes + lane).proxied;
  for (u32 at = offset; at < offset + size; at += 4) {
    const auto store = last_store(block, at);
    if (!store) continue;
    const MemoryOperand& by = *block.launch->program->sites()[site_of(store->record)].access;
    if (by.asynchronous || covers(fenced, store->block, store->record)) continue;
    block.checker->report(
        device::FindingKind::proxy, access.id, site_of(store->record), warp, lane, [&] {
          return Message(Says::copy_misses_store, block.shared.layout().describe(at, 4),
                         who_stored(block, *store));
        });
    return; // the rest of it is like this
  }
}

} // namespace course::emulator
