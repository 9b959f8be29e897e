// Lanes of a program's own that the mask of a rendezvous names, and that go on without it.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/state/lanes.hpp"

#include <bit>

namespace course::emulator {

// Lanes that wait for others at a rendezvous, while these wait for them where the paths of a branch
// meet: a GPU lets the others go on from there, and so does a program of one's own. False: there
// are none.
bool Interpreter::let_past() {
  if (!launch_.lenient) return false;
  bool any = false;
  for (Warp& warp : block_.warps) {
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      if (warp.splits[i].state != Split::State::at_rendezvous) continue;
      const Split first = warp.splits[i];
      u32 present = 0;
      for (const Split& s : warp.splits)
        if (s.state == Split::State::at_rendezvous && s.members == first.members)
          present |= s.lanes;
      const u32 missing = first.members & warp.live & ~present;
      u32 past = 0;
      for (std::uint32_t join = 0; join < warp.joins.size(); ++join) {
        const Join& met = warp.joins[join];
        if (!(met.arrived & missing) || !(met.expected & first.lanes)) continue;
        past |= met.arrived;
        release_waiting(warp, join);
      }
      if (!past) continue;
      any = true;
      for (Split& s : warp.splits)
        if (s.state == Split::State::at_rendezvous && s.members == first.members)
          s.left_behind = true;
      const Code& code = *warp.activations[first.activation].code;
      const RendezvousUse& use = code.rendezvous[code.operations[first.at].target];
      block_.checker->report(
          use.orders_memory ? device::FindingKind::warp_barrier : device::FindingKind::shuffle,
          use.site, kNone, warp, static_cast<u32>(std::countr_zero(first.lanes)), [&] {
            return Message(Says::lanes_go_past, device::Lanes{present}, warp.index,
                           device::Lanes{past & missing});
          });
    }
  }
  return any;
}

} // namespace course::emulator
