// How lanes and warps wait for each other: rendezvous within a warp, barriers of a block.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/state/lanes.hpp"

#include <bit>

namespace course::emulator {

ptx::SourceLine Interpreter::line_at(const Warp& warp, std::uint32_t activation,
                                     std::uint32_t at) const {
  const Code& code = *warp.activations[activation].code;
  if (at >= code.instruction.size()) return {};
  const std::uint32_t instruction = code.instruction[at];
  const auto& body = code.function->body;
  if (body.empty()) return {};
  return body[std::min<std::size_t>(instruction, body.size() - 1)].source;
}

// ---- rendezvous

// False when the split waits. Lanes may name different members, each group its own.
bool Interpreter::meet_at_rendezvous(Warp& warp, Split& split, const Operation& op) {
  const Code& code = *warp.activations[split.activation].code;
  const RendezvousUse& use = code.rendezvous[op.target];
  const u32* members = lanes_at<const u32>(warp.frame, use.members);
  struct Group {
    u32 lanes, members;
  };
  std::array<Group, kLanes> groups;
  int count = 0;
  u32 incomplete = 0;
  for (u32 left = split.lanes; left;) {
    const u32 named = members[std::countr_zero(left)];
    u32 lanes = 0;
    for (u32 rest = left; rest; rest &= rest - 1)
      if (members[std::countr_zero(rest)] == named) lanes |= rest & (0u - rest);
    left &= ~lanes;
    groups[static_cast<std::size_t>(count++)] = {lanes, named};
    if (named & warp.live & ~lanes) incomplete |= lanes;
    if (lanes & ~named) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes & ~named));
      const auto kind =
          use.orders_memory ? device::FindingKind::warp_barrier : device::FindingKind::shuffle;
      Message message(Says::not_in_own_mask, lane, device::Lanes{named});
      if (launch_.lenient) { // an illegal instruction
        block_.checker->fail(kind, line_at(warp, split.activation, split.at), warp, lane,
                             std::move(message), {}, &launch_.program->sites()[use.site]);
        return false;
      }
      block_.checker->report(kind, use.site, kNone, warp, lane, [&] { return std::move(message); });
    }
  }
  for (int g = 0; g < count; ++g) {
    const Group& group = groups[static_cast<std::size_t>(g)];
    if (!(group.lanes & incomplete))
      execute_rendezvous(warp, split.activation, op, group.lanes, group.members);
  }
  if (!incomplete) {
    ++split.at;
    return true;
  }
  // Those that are done go ahead, the others wait, each group by itself; all meet again behind.
  if (incomplete != split.lanes)
    diverge(warp, split, split.at + 1, split.at + 1, split.lanes & ~incomplete);
  for (int g = 0; g < count; ++g) {
    const Group& group = groups[static_cast<std::size_t>(g)];
    if (!(group.lanes & incomplete)) continue;
    if (group.lanes == split.lanes)
      warp.splits.push_back(split);
    else
      diverge(warp, split, split.at + 1, split.at, group.lanes);
    warp.splits.back().state = Split::State::at_rendezvous;
    warp.splits.back().members = group.members;
  }
  complete_rendezvous(warp);
  return false;
}

void Interpreter::execute_rendezvous(Warp& warp, std::uint32_t activation, const Operation& op,
                                     u32 lanes, u32 members) {
  const Code& code = *warp.activations[activation].code;
  if (code.rendezvous[op.target].orders_memory) {
    if (block_.checks)
      block_.checker->warp_barrier(warp, lanes, (members & warp.live) == warp.live);
    if (launch_.chooser) meet(warp, lanes);
  } else {
    if (launch_.ways) launch_.ways->before_exchange(warp, activation, op, lanes);
    if (warp.watched && block_.checker->undefined)
      block_.checker->undefined->before_exchange(warp, activation, op, lanes);
    op.execute(warp, op, lanes);
  }
}

// Lets those go whose members have all come, or ended.
void Interpreter::complete_rendezvous(Warp& warp) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      if (warp.splits[i].state != Split::State::at_rendezvous) continue;
      const u32 members = warp.splits[i].members;
      // Lanes that others have been let past wait for those that come to them, and for no others.
      const Split first = warp.splits[i];
      const auto waits = [&](const Split& s) {
        return s.state == Split::State::at_rendezvous && s.members == members &&
               ((s.at == first.at && s.activation == first.activation) ||
                (!s.left_behind && !first.left_behind));
      };
      u32 present = 0;
      for (const Split& s : warp.splits)
        if (waits(s)) present |= s.lanes;
      if (members & warp.live & ~present) continue;

      // All are here, though perhaps at different places: those at one place go together.
      const Code& code = *warp.activations[first.activation].code;
      const Operation& op = code.operations[first.at];
      const bool orders = code.rendezvous[op.target].orders_memory;
      u32 together = 0;
      for (const Split& s : warp.splits)
        if (waits(s) && s.at == first.at && s.activation == first.activation) together |= s.lanes;
      if (together != present && !orders) {
        const u32 lane = static_cast<u32>(std::countr_zero(present & ~together));
        block_.checker->report(device::FindingKind::shuffle, code.rendezvous[op.target].site, kNone,
                               warp, lane, [&] {
                                 return Message(Says::exchange_nothing, device::Lanes{together},
                                                device::Lanes{present & ~together});
                               });
      }
      warp.frame = frame_of(warp, first.activation);
      execute_rendezvous(warp, first.activation, op, orders ? present : together, members);
      for (Split& s : warp.splits) {
        const bool goes =
            orders ? waits(s) : waits(s) && s.at == first.at && s.activation == first.activation;
        if (!goes) continue;
        s.state = Split::State::ready;
        s.left_behind = false;
        ++s.at;
      }
      merge_ready(warp);
      again = true;
      break;
    }
  }
}

// Splits at one place with one future become one.
void Interpreter::merge_ready(Warp& warp) {
  auto& splits = warp.splits;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (splits[i].state != Split::State::ready) continue;
    for (std::size_t k = i + 1; k < splits.size();) {
      const Split& other = splits[k];
      const bool same = other.state == Split::State::ready && other.at == splits[i].at &&
                        other.join == splits[i].join && other.activation == splits[i].activation;
      if (!same) {
        ++k;
        continue;
      }
      splits[i].lanes |= other.lanes;
      splits[k] = splits.back();
      splits.pop_back();
    }
  }
}

// ---- barriers

// False when the split waits.
bool Interpreter::wait_at_barrier(Warp& warp, Split& split, const Operation& op) {
  const Code& code = *warp.activations[split.activation].code;
  const BarrierUse& use = code.barriers[op.target];
  const int lane = std::countr_zero(split.lanes);
  const auto value = [&](const std::optional<Slot>& slot, u32 absent) {
    return slot ? lanes_at<const u32>(warp.frame, *slot)[lane] : absent;
  };
  const u32 id = value(use.id, 0), count = value(use.count, 0);
  if (id >= kBarriers || count > 1024 || count % kLanes) {
    block_.checker->fail(device::FindingKind::barrier, line_at(warp, split.activation, split.at),
                         warp, static_cast<u32>(lane), Message(Says::no_such_barrier, id, count));
    return false;
  }
  ++block_.totals.barriers;
  Barrier& barrier = block_.barriers[id];
  // Barriers with a count are counted in whole warps.
  barrier.arrived +=
      count && split.lanes == warp.live ? kLanes : static_cast<u32>(std::popcount(split.lanes));
  barrier.needed = count;
  barrier.warps |= 1u << warp.index;
  if (use.action >= BarrierAction::popc) {
    const u32 predicate = predicate_at(warp.frame, use.predicate) ^ (use.negated ? kAllLanes : 0);
    barrier.true_predicates += static_cast<u32>(std::popcount(predicate & split.lanes));
    barrier.false_predicates += static_cast<u32>(std::popcount(~predicate & split.lanes));
  }
  if (use.action == BarrierAction::arrive) {
    // What comes behind it is not what the others wait for.
    barrier.passed |= 1u << warp.index;
    if (block_.checks) block_.checker->shadow.next_step(warp);
    barrier.arrival[warp.index] = warp.stamp;
    ++split.at;
    const u32 at = split.at;
    complete_if_all_came(id);
    split.at = at;
    return true;
  }
  split.state = Split::State::at_barrier;
  split.barrier = id;
  warp.splits.push_back(split);
  complete_if_all_came(id);
  return false;
}

void Interpreter::complete_barriers() {
  for (u32 id = 0; id < kBarriers; ++id) complete_if_all_came(id);
}

void Interpreter::complete_if_all_came(std::uint32_t id) {
  const Barrier& barrier = block_.barriers[id];
  const u32 needed = barrier.needed ? barrier.needed : block_.live;
  if (barrier.arrived && barrier.arrived >= needed) complete_barrier(id);
}

void Interpreter::complete_barrier(std::uint32_t id) {
  const Barrier barrier = block_.barriers[id];
  if (launch_.chooser) meet_all(id);
  block_.barriers[id] = {};
  const auto waits = [&](const Split& s) {
    return s.state == Split::State::at_barrier && s.barrier == id;
  };

  const BarrierUse* first_use = nullptr;
  for (Warp& warp : block_.warps) {
    bool released = false;
    for (Split& split : warp.splits) {
      if (!waits(split)) continue;
      const Code& code = *warp.activations[split.activation].code;
      const BarrierUse& use = code.barriers[code.operations[split.at].target];
      const u32 lane = static_cast<u32>(std::countr_zero(split.lanes));
      if (!first_use) first_use = &use;
      const auto line = [&](u32 site) { return launch_.program->sites()[site].source.line; };
      if (!barrier.needed && line(use.site) != line(first_use->site)) {
        block_.checker->report(
            device::FindingKind::barrier, use.site, first_use->site, warp, lane,
            [&] { return Message(Says::waits_elsewhere, line(first_use->site)); });
      }
      if (use.action >= BarrierAction::popc) {
        const u32 trues = barrier.true_predicates;
        std::byte* frame = frame_of(warp, split.activation);
        if (use.action == BarrierAction::popc) {
          u32* result = lanes_at<u32>(frame, use.result);
          for (u32 left = split.lanes; left; left &= left - 1)
            result[std::countr_zero(left)] = trues;
        } else {
          // A warp that is not full, or only arrives, counts as 32 threads without predicates.
          const bool all = barrier.false_predicates == 0;
          const bool value = use.action == BarrierAction::logical_and ? all : trues > 0;
          u32& result = predicate_at(frame, use.result);
          result = (result & ~split.lanes) | (value ? split.lanes : 0);
        }
      }
      split.state = Split::State::ready;
      split.round = round_; // all go on in the next round, the first warp first
      ++split.at;
      released = true;
    }
    if (released) merge_ready(warp);
  }
  const u32 ended = launch_.threads() - block_.live;
  if (!barrier.needed && ended && first_use) {
    const auto kind =
        launch_.lenient ? device::FindingKind::old_devices : device::FindingKind::barrier;
    block_.checker->report(kind, first_use->site, kNone, block_.warps[0], 0, [&] {
      return Message(Says::ended_before_barrier, ended, launch_.threads());
    });
  }
  if (!block_.checks) return;
  if (barrier.needed && (barrier.passed || barrier.needed < launch_.warps() * kLanes)) {
    block_.checker->shadow.partial_barrier(block_.warps, barrier.warps, barrier.passed,
                                           barrier.arrival);
    block_.checker->order.meet(barrier.warps);
  } else {
    block_.checker->block_barrier();
  }
}

// Nothing can run, and not all have ended: says who waits, and for whom.
void Interpreter::report_deadlock() {
  if (report_missing_registers() || report_missing_warps() || report_endless_wait()) return;
  const Warp* waiting_warp = nullptr;
  const Split* waiting = nullptr;
  for (const Warp& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      const bool better =
          !waiting ||
          (split.state == Split::State::at_barrier && waiting->state != Split::State::at_barrier) ||
          (split.left_behind && waiting->state == Split::State::at_rendezvous);
      if (!better) continue;
      waiting_warp = &warp;
      waiting = &split;
    }
  }
  if (!waiting) { // only joins that nobody comes to: cannot be
    block_.ended = true;
    return;
  }
  const u32 lane = static_cast<u32>(std::countr_zero(waiting->lanes));
  const ptx::SourceLine here = line_at(*waiting_warp, waiting->activation, waiting->at);

  if (waiting->state == Split::State::at_rendezvous) {
    u32 present = 0;
    for (const Split& split : waiting_warp->splits)
      if (split.state == Split::State::at_rendezvous && split.members == waiting->members &&
          split.left_behind == waiting->left_behind)
        present |= split.lanes;
    const u32 missing = waiting->members & waiting_warp->live & ~present;
    const Code& code = *waiting_warp->activations[waiting->activation].code;
    const bool orders = code.rendezvous[code.operations[waiting->at].target].orders_memory;
    block_.checker->fail(orders ? device::FindingKind::warp_barrier : device::FindingKind::shuffle,
                         here, *waiting_warp, lane,
                         Message(Says::lanes_never_come, device::Lanes{present},
                                 waiting_warp->index, device::Lanes{missing}));
    return;
  }

  // Who is elsewhere: at another barrier, or where a branch's paths meet.
  u32 arrived = 0;
  const Warp* other_warp = nullptr;
  u32 other_lanes = 0;
  ptx::SourceLine other;
  for (const Warp& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      if (split.state == Split::State::at_barrier && split.barrier == waiting->barrier) {
        arrived += static_cast<u32>(std::popcount(split.lanes));
      } else if (!other_warp) {
        other_warp = &warp;
        other_lanes = split.lanes;
        other = line_at(warp, split.activation, split.at);
      }
    }
    for (const Join& join : warp.joins) {
      if (!join.arrived || other_warp) continue;
      other_warp = &warp;
      other_lanes = join.arrived;
    }
  }
  const auto waits = [&](Says how, auto... whom) {
    return Message(how, arrived, launch_.threads(), whom...);
  };
  const device::Lanes others{other_lanes};
  Message message = !other_warp ? waits(Says::waits_for_ever)
                    : other.line
                        ? waits(Says::waits_for_others, others, other_warp->index, other.line)
                        : waits(Says::waits_for_branch, others, other_warp->index);
  block_.checker->fail(device::FindingKind::barrier, here, *waiting_warp, lane, message, other);
}

void Interpreter::report_grid_deadlock(std::uint64_t absent) {
  const std::uint64_t blocks = launch_.grid.count();
  for (Warp& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::ready) continue;
      const Count waiting{blocks - absent}, all{blocks};
      Message message(Says::grid_waits, waiting, all);
      if (absent == 1)
        message = Message(Says::grid_waits_for_ended, waiting, all, Message(Says::one));
      else if (absent)
        message = Message(Says::grid_waits_for_ended, waiting, all, Count{absent});
      block_.checker->fail(device::FindingKind::barrier, line_at(warp, split.activation, split.at),
                           warp, static_cast<u32>(std::countr_zero(split.lanes)),
                           std::move(message));
      return;
    }
  }
}

} // namespace course::emulator
