// What a load may promise of its word: that nobody writes there while the kernel runs
// (ld.global.nc, ldu). The promise is of a word, and not of an array: what is next to it may
// change.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/history_request.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/check/saying.hpp"

namespace course::emulator {

void Histories::report_changed(const Request& request, const Word& word) {
  const u32 lane = lowest(request.lanes);
  const auto is_behind = [&](const PastAccess& past) {
    const Record record = past.record | lowest(past.lanes);
    if (!happened_before(request.warp, lane, past.block, record)) return false;
    report_stale(request, past, Says::load_misses_store);
    return true;
  };
  if (!word.writes.any(is_behind)) word.strong_writes.any(is_behind);
}

void Histories::report_promised(const Request& request, const Word& word) {
  if (unchanging_.empty()) return;
  const auto load = unchanging_.find(&word);
  if (load == unchanging_.end()) return;
  const PastAccess& past = load->second;
  const Record record = past.record | lowest(past.lanes);
  if (happened_before(request.warp, lowest(request.lanes), past.block, record))
    report_stale(request, past, Says::store_breaks_promise);
}

void Histories::report_stale(const Request& request, const PastAccess& past, Says says) {
  const Block& block = request.block();
  const u32 lane = lowest(request.lanes);
  block.checker->report(
      device::FindingKind::stale_load, request.access.id, site_of(past.record), request.warp, lane,
      [&] {
        const u64 offset = request.at.of[lane] - request.memory.base;
        return Message(says,
                       does(request.access, request.memory.element(offset, request.access.width())),
                       who_stored(block, {past.block, past.record | lowest(past.lanes)}));
      });
}

} // namespace course::emulator
