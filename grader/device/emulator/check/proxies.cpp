#include "device/emulator/check/proxies.hpp"

#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/block.hpp"
#include "device/emulator/execute/lanes.hpp"
#include "device/emulator/execute/launch.hpp"

namespace course::emulator {

void check_proxy(Warp& warp, const Access& access, u32 lane, u32 offset, u32 size) {
  Block& block = *warp.block;
  const Shadow& shadow = block.shared.shadow();
  const Known& fenced = block.order.of(warp.index * kLanes + lane).proxied;
  for (u32 at = offset; at < offset + size; at += 4) {
    const Record writer = shadow.writer_at(at);
    if (!writer) continue; // nothing in this block, which is reported
    const Access& store = *block.launch->program->sites()[site_of(writer)].access;
    if (store.asynchronous || covers(fenced, block.linear, writer)) continue;
    block.report(device::FindingKind::proxy, access.id, site_of(writer), warp, lane, [&] {
      return Message(
          Says::copy_misses_store, block.shared.layout().describe(at, 4),
          Message(Says::thread, block.thread(block.warps[warp_of(writer)], lane_of(writer))));
    });
    return; // the rest of it is like this
  }
}

} // namespace course::emulator
