// wgmma.wait_group: a warp goes on when its warpgroup has come as far as the products that it waits
// for. None of these begins on a GPU before all four warps have asked for it.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/wgmma.hpp"
#include "device/emulator/state/lanes.hpp"

namespace course::emulator {
namespace {

// How many groups have to be done, so that no more than `left` of the last are not.
u32 groups_before(Warp& warp, u32 left) {
  const u32 committed = warp.block->products.of(warp).committed;
  return committed > left ? committed - left : 0;
}

// The warps of the warpgroup that have not committed so many groups.
u32 warps_behind(Warp& warp, u32 groups) {
  Block& block = *warp.block;
  const u32 first = warp.index / kWarpsTogether * kWarpsTogether;
  u32 behind = 0;
  for (u32 i = first; i < first + kWarpsTogether && i < block.warps.size(); ++i)
    if (block.products.of(block.warps[i]).committed < groups) behind |= 1u << i;
  return behind;
}

const Operation& waiting_operation(const Warp& warp, const Split& split) {
  return warp.activations[split.activation].code->operations[split.at];
}

} // namespace

// False when the split waits.
bool Interpreter::wait_for_products(Warp& warp, Split& split, const Operation& op) {
  const u32 groups = groups_before(warp, op.immediate);
  if (!warps_behind(warp, groups)) {
    end_products(warp, groups, op.slot[0]);
    ++split.at;
    return true;
  }
  split.state = Split::State::at_products;
  warp.splits.push_back(split);
  ++block_.products.parked;
  return false;
}

void Interpreter::end_product_waits() {
  for (Warp& warp : block_.warps) {
    for (Split& split : warp.splits) {
      if (split.state != Split::State::at_products) continue;
      const Operation& op = waiting_operation(warp, split);
      const u32 groups = groups_before(warp, op.immediate);
      if (warps_behind(warp, groups)) continue;
      end_products(warp, groups, op.slot[0]);
      split.state = Split::State::ready;
      ++split.at;
      --block_.products.parked;
    }
    merge_ready(warp);
  }
}

// Some warp of a warpgroup does not come to a product that others wait for.
bool Interpreter::report_missing_warps() {
  for (Warp& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::at_products) continue;
      const Operation& op = waiting_operation(warp, split);
      const u32 behind = warps_behind(warp, groups_before(warp, op.immediate));
      const u32 missing = lowest(behind);
      ptx::SourceLine other;
      const Warp& absent = block_.warps[missing];
      for (const Split& one : absent.splits)
        if (!other.line) other = line_at(absent, one.activation, one.at);
      Message message =
          other.line
              ? Message(Says::product_never_starts_waits, warp.index, missing, other.line)
              : Message(absent.live ? Says::product_never_starts : Says::product_never_starts_ended,
                        warp.index, missing);
      block_.checker->fail(device::FindingKind::wgmma, line_at(warp, split.activation, split.at),
                           warp, lowest(split.lanes), std::move(message), other);
      return true;
    }
  }
  return false;
}

} // namespace course::emulator
