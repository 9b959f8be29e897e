// setmaxnreg: warps of a block hand registers to each other.
//
// A block has as many registers as its launch allots, those of its kernel's machine code for each
// thread, in steps of 8. `dec` gives some of a warp's to the block, `inc` takes them, and waits
// until there are so many. So it was on an H200 (book/data/h200/hopper_limits.csv): what the
// multiprocessor has left does not help, nor what belongs to warps that have ended. How registers
// go to several that wait was not measured. Here a warpgroup gets its share at once or not at all,
// so that two that take turns never have half of it each.
//
// Without a cubin, or where ptxas left the instruction out, it does nothing.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/state/lanes.hpp"

#include <algorithm>
#include <span>

namespace course::emulator {
namespace {

std::span<Warp> warps_of_group(Block& block, const Warp& warp) {
  const std::size_t first = warp.index / kWarpsTogether * kWarpsTogether;
  return std::span(block.warps)
      .subspan(first, std::min<std::size_t>(kWarpsTogether, block.warps.size() - first));
}

// What its warps that have not ended need to have `wanted` each.
u32 lacking(Block& block, const Warp& warp, u32 wanted) {
  u32 all = 0;
  for (const Warp& one : warps_of_group(block, warp))
    if (one.live && one.owned < wanted) all += wanted - one.owned;
  return all;
}

bool take_registers(Block& block, Warp& warp, u32 wanted) {
  const u32 needed = lacking(block, warp, wanted);
  if (needed > block.registers.free) return false;
  block.registers.free -= needed;
  for (Warp& one : warps_of_group(block, warp))
    if (one.live) one.owned = std::max(one.owned, wanted);
  return true;
}

bool waits_here(const Split& split) {
  return split.state == Split::State::at_registers;
}

u32 wanted_by(const Warp& warp, const Split& split) {
  return warp.activations[split.activation].code->operations[split.at].immediate;
}

} // namespace

void give_registers_back(Warp& warp, const Operation& op, std::uint32_t) {
  if (warp.owned <= op.immediate) return;
  warp.block->registers.free += warp.owned - op.immediate;
  warp.owned = op.immediate;
}

// False when the split waits.
bool Interpreter::wait_for_registers(Warp& warp, Split& split, const Operation& op) {
  if (take_registers(block_, warp, op.immediate)) {
    ++split.at;
    return true;
  }
  split.state = Split::State::at_registers;
  warp.splits.push_back(split);
  ++block_.registers.parked;
  return false;
}

void Interpreter::end_register_waits() {
  for (Warp& warp : block_.warps) {
    for (Split& split : warp.splits) {
      if (!waits_here(split) || !take_registers(block_, warp, wanted_by(warp, split))) continue;
      split.state = Split::State::ready;
      ++split.at;
      --block_.registers.parked;
    }
    merge_ready(warp);
  }
}

// A warp that has given none back, and could, or could have: one that has not ended comes first.
Message Interpreter::who_keeps_registers(ptx::SourceLine& other) const {
  const u32 begun = launch_.entry->registers_held();
  const Warp* ended = nullptr;
  u64 asked = 0;
  for (const Warp& warp : block_.warps) {
    u32 wanted = warp.owned;
    bool waits = false;
    for (const Split& split : warp.splits) {
      if (!waits_here(split)) continue;
      wanted = std::max(wanted, wanted_by(warp, split));
      waits = true;
    }
    asked += u64{wanted} * kLanes;
    if (waits || warp.owned != begun) continue;
    if (!warp.live && !ended) ended = &warp;
    if (warp.splits.empty()) continue;
    other = line_at(warp, warp.splits[0].activation, warp.splits[0].at);
    return Message(Says::registers_kept, warp.index, warp.owned, other.line);
  }
  if (ended) return Message(Says::registers_lost, ended->index, ended->owned);
  return Message(Says::registers_beyond_launch, Count{asked},
                 Count{u64{begun} * kLanes * block_.warps.size()});
}

// Nothing can run, and some wait for registers: that is why.
bool Interpreter::report_missing_registers() {
  if (!block_.registers.parked) return false;
  for (Warp& warp : block_.warps) {
    const auto split = std::ranges::find_if(warp.splits, waits_here);
    if (split == warp.splits.end()) continue;
    const u32 wanted = wanted_by(warp, *split);
    ptx::SourceLine other;
    Message who = who_keeps_registers(other);
    block_.checker->fail(device::FindingKind::registers,
                         line_at(warp, split->activation, split->at), warp, lowest(split->lanes),
                         Message(Says::registers_never_come, wanted, warp.owned,
                                 Count{u64{lacking(block_, warp, wanted)} * kLanes},
                                 Count{u64{block_.registers.free} * kLanes}, std::move(who)),
                         other);
    return true;
  }
  return false;
}

} // namespace course::emulator
