#include "device/emulator/check/effects.hpp"

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/decode/windows.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

constexpr Trace kReads = kTraceRead | kTraceStrongRead;

// Whether something read what something changed.
bool reads_changed(Trace trace) {
  return (trace & kTraceAtomic) || ((trace & kReads) && (trace & kTraceChanges));
}

bool reads_changed(const FootprintPage& page) {
  if (!reads_changed(page.all)) return false;
  const Traces& traces = *page.traces.load(std::memory_order_relaxed);
  return std::any_of(traces.of.get(), traces.of.get() + (kPageBytes >> traces.shift),
                     [](Trace trace) { return reads_changed(trace); });
}

} // namespace

Effects Footprint::effects() const {
  Effects effects;
  for (const Touched& touched : touched_) {
    if (touched.memory->base == kGridWorkspace) continue; // which each launch has anew
    if (effects.touched.empty() || effects.touched.back() != touched.memory)
      effects.touched.push_back(touched.memory);
    if (touched.footprint->saved) effects.stored.emplace_back(touched.memory, touched.page);
    effects.reads_others = effects.reads_others && !reads_changed(*touched.footprint);
  }
  std::ranges::sort(effects.touched);
  effects.touched.erase(std::unique(effects.touched.begin(), effects.touched.end()),
                        effects.touched.end());
  return effects;
}

} // namespace course::emulator
