#include "device/emulator/execute/phase_wait.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/state/lanes.hpp"

#include <bit>

namespace course::emulator {
namespace {

// How often waits may come to nothing while nothing happens, before that is for ever.
constexpr u32 kIdleRounds = 3, kIdlePolls = 64;

const Operation& operation_of(const Warp& warp, const Split& split) {
  return warp.activations[split.activation].code->operations[split.at];
}

bool is_parked(const Split& split) {
  return split.state == Split::State::at_phase;
}

// Calls f with the warp's frame that of the split.
template <typename F>
void in_frame_of(Warp& warp, const Split& split, F&& f) {
  std::byte* const before = warp.frame;
  warp.frame = warp.registers[warp.activations[split.activation].frame].bytes;
  f();
  warp.frame = before;
}

void answer(Warp& warp, Split& split, u32 through) {
  in_frame_of(warp, split, [&] {
    u32& result = predicate_at(warp.frame, operation_of(warp, split).slot[0]);
    result = (result & ~split.lanes) | (through & split.lanes);
  });
  --warp.block->memory_barriers.parked;
  split.state = Split::State::ready;
  split.members = 0;
  ++split.at;
}

} // namespace

// What has come by itself lets another phase end: `members` of a parked split are the lanes that
// may go on.
void wake_parked(Block& block) {
  for (Warp& warp : block.warps) {
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      if (!is_parked(warp.splits[i])) continue;
      const Split split = warp.splits[i];
      in_frame_of(warp, split, [&] {
        const Operation& op = operation_of(warp, split);
        const u32 through = lanes_past(warp, op, split.lanes) & ~split.members;
        if (!through) return;
        see_phase(warp, op, through);
        warp.splits[i].members |= through;
      });
    }
  }
}

// False when the split waits.
bool Interpreter::wait_for_phase(Warp& warp, Split& split, const Operation& op) {
  const u32 through = lanes_through(warp, op, split.lanes);
  if (through) {
    see_phase(warp, op, through);
    u32& result = predicate_at(warp.frame, op.slot[0]);
    result = (result & ~split.lanes) | through;
    ++split.at;
    return true;
  }
  const Vain vain = launch_.chooser     ? Vain::in_turn
                    : launch_.liberties ? says_so(warp, op, split.lanes)
                                        : Vain::suspended;
  if (vain != Vain::suspended) {
    predicate_at(warp.frame, op.slot[0]) &= ~split.lanes;
    ++split.at;
    if (vain == Vain::at_once) return true;
    warp.touched_atomics = true; // it is the others' turn
    warp.polled = &op;
    return true;
  }
  split.state = Split::State::at_phase;
  split.members = 0;
  warp.splits.push_back(split);
  ++block_.memory_barriers.parked;
  return false;
}

// Lanes that the draw has parted may be in different rounds of one loop, and would part at the next
// branch again: there some would wait for others that are at a barrier, which on a GPU nobody does.
void Interpreter::bring_together(Warp& warp) {
  if (!launch_.liberties) merge_ready(warp);
}

// Those whose phase is complete go on.
bool Interpreter::end_waits() {
  bool any = false;
  for (Warp& warp : block_.warps) {
    bool answered = false;
    for (Split& split : warp.splits) {
      if (!is_parked(split) || !split.members) continue;
      answer(warp, split, split.members);
      answered = true;
    }
    if (answered) bring_together(warp);
    any = any || answered;
  }
  return any;
}

// Nothing can run, and some wait for a phase: what comes by itself does, and lanes that wait for
// these where a branch ends go ahead.
bool Interpreter::go_on_by_phases() {
  if (!block_.memory_barriers.parked) return false;
  if (let_all_come(block_) && end_waits()) return true;
  bool released = false;
  for (Warp& warp : block_.warps) {
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      if (!is_parked(warp.splits[i])) continue;
      for (u32 join = warp.splits[i].join; join != kNone; join = warp.joins[join].outer) {
        released = released || warp.joins[join].arrived;
        release_waiting(warp, join);
      }
    }
  }
  return released;
}

bool Interpreter::time_out() {
  if (!block_.memory_barriers.parked) return false;
  if (!happened()) {
    if (++idle_ > kIdleRounds) return false;
  } else {
    idle_ = 0;
  }
  for (Warp& warp : block_.warps) {
    for (Split& split : warp.splits)
      if (is_parked(split)) answer(warp, split, 0);
    bring_together(warp);
  }
  return true;
}

// Whether anything has been counted by a barrier, or ended, since the last time.
bool Interpreter::happened() {
  const u64 now = block_.memory_barriers.progress + block_.totals.barriers +
                  (u64{launch_.threads()} - block_.live);
  return std::exchange(happened_before_, now) != now;
}

// A round in which all that ran has looked for phases that are not complete. False: that was so for
// long.
bool Interpreter::polls_lead_on() {
  if (happened() || let_all_come(block_)) {
    idle_ = 0;
    return true;
  }
  return ++idle_ < kIdlePolls;
}

// The first that waits for a phase, or has just looked for one.
bool Interpreter::report_endless_wait() {
  const auto source_of = [&](const Operation& op) {
    return launch_.program->sites()[op.access->id].source;
  };
  const auto where = [&](const Warp& warp, const Split& split) {
    return split.polled ? source_of(*split.polled) : line_at(warp, split.activation, split.at);
  };
  const auto report = [&](Warp& warp, const Split& split, const Operation& op) {
    Message message;
    in_frame_of(warp, split, [&] {
      BarrierPlaces places;
      const u32 valid = barrier_places(warp, *op.access, split.lanes, places);
      message = describe_wait(op, split.lanes, valid, places);
    });
    const ptx::SourceLine here = source_of(op);
    ptx::SourceLine other;
    for (const Warp& another : block_.warps) {
      for (const Split& waiting : another.splits) {
        const ptx::SourceLine there = where(another, waiting);
        if (&waiting == &split || other.line || !there.line || there == here) continue;
        other = there;
        message = Message(Says::meanwhile, std::move(message), device::Lanes{waiting.lanes},
                          another.index, there.line);
      }
    }
    block_.checker->fail(device::FindingKind::phase, here, warp,
                         static_cast<u32>(std::countr_zero(split.lanes)), std::move(message), other,
                         &launch_.program->sites()[op.access->id]);
    return true;
  };
  for (Warp& warp : block_.warps)
    for (const Split& split : warp.splits)
      if (is_parked(split)) return report(warp, split, operation_of(warp, split));
  for (Warp& warp : block_.warps)
    for (const Split& split : warp.splits)
      if (split.polled) return report(warp, split, *split.polled);
  return false;
}

} // namespace course::emulator
