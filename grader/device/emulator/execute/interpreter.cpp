// Over 400 lines, as splits, slices and waits of a warp are one loop.
#include "device/emulator/execute/interpreter.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/state/lanes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace course::emulator {
namespace {

constexpr std::size_t kMostParts = 6; // of a warp, that are made of one without need

} // namespace

Split* Interpreter::next_ready(Warp& warp) {
  for (Split& split : warp.splits)
    if (split.state == Split::State::ready && split.round != round_ && split.not_before <= round_)
      return &split;
  return nullptr;
}

void Interpreter::run(std::uint64_t linear) {
  begin(linear);
  while (advance() == State::waiting) {
  }
}

void Interpreter::begin(std::uint64_t linear) {
  begin_block(linear);
}

Interpreter::State Interpreter::advance() {
  may_wait_ = false;
  while (block_.live && !block_.ended) {
    if (block_.block_instructions - block_.told > kSlice) tell_pace();
    if (std::exchange(preempted_, false)) return State::waiting;
    if (may_wait_ && (launch_.entry->may_wait || block_.cluster))
      return only_for_grid_ ? State::at_grid_barrier : State::waiting;
    end_waits_for_others();
    bool ran = false, polls = true;
    only_for_grid_ = true;
    ++round_;
    if (launch_.liberties) launch_.liberties->shuffle(warps_);
    for (const std::uint32_t index : warps_) {
      Warp& warp = block_.warps[index];
      while (Split* ready = next_ready(warp)) {
        const Split split = *ready;
        *ready = warp.splits.back();
        warp.splits.pop_back();
        const bool others_wait = only_for_grid_;
        only_for_grid_ = only_polls_ = false;
        run_split(warp, split);
        only_for_grid_ = only_for_grid_ && others_wait;
        polls = polls && only_polls_;
        if (block_.ended) break;
        ran = true;
      }
      if (block_.ended) break;
    }
    if (block_.ended) break;
    if ((!ran || polls || may_wait_) && let_past()) continue;
    // Whoever runs may be waiting for one that was preempted.
    if ((!ran || polls || may_wait_) && launch_.liberties && let_all_go_on()) continue;
    if (block_.cluster && (!ran || polls)) {
      if (ran || !go_on_by_phases()) return State::stuck;
    } else if (!ran ? !go_on_by_phases() && !time_out() : polls && !polls_lead_on()) {
      report_deadlock();
    }
  }
  block_.checker->end_block();
  return State::ended;
}

void Interpreter::end_waits_for_others() {
  if (block_.memory_barriers.parked) end_waits();
  if (block_.cluster) end_cluster_waits();
  if (block_.products.parked) [[unlikely]]
    end_product_waits();
  if (block_.registers.parked) [[unlikely]]
    end_register_waits();
}

void Interpreter::run_split(Warp& warp, Split split) {
  const Operation* operations = nullptr;
  std::uint64_t* executed = nullptr; // of each operation, where they are counted
  std::uint32_t meet = kNowhere;     // where the split's innermost join is, if in this function
  const auto look_up = [&] {
    const Activation& activation = warp.activations[split.activation];
    operations = activation.code->operations.data();
    if (launch_.count_operations) [[unlikely]] {
      auto& counts = block_.executed[activation.code];
      counts.resize(activation.code->operations.size());
      executed = counts.data();
    }
    warp.frame = frame_of(warp, split.activation);
    meet = kNowhere;
    if (split.join != kNone && warp.joins[split.join].call == split.activation)
      meet = warp.joins[split.join].at;
  };
  look_up();
  warp.touched_atomics = warp.looked_at_grid = false;
  warp.polled = split.polled = nullptr;
  bool waits_for_grid = false;
  std::uint64_t fuel = std::min<std::uint64_t>(
      slice_, launch_.budget - std::min(launch_.budget, block_.block_instructions) + 1);
  if (launch_.stopped()) [[unlikely]]
    fuel = 0;

  for (;;) {
    if (split.at == meet) {
      if (!arrive(warp, split)) return;
      look_up();
      continue;
    }
    const Operation& op = operations[split.at];
    if (fuel-- == 0) break;
    block_.block_instructions += op.counted;
    if (executed) [[unlikely]]
      executed[split.at] += op.counted;

    std::uint32_t active = split.lanes;
    if (op.guard_kind != GuardKind::none) {
      const std::uint32_t guard = predicate_at(warp.frame, op.guard);
      active &= op.guard_kind == GuardKind::if_set ? guard : ~guard;
    }
    if (warp.watched) [[unlikely]] {
      if ((op.tells_order || launch_.chooser) && active && gives_way(warp, split, op, active)) {
        block_.block_instructions -= op.counted;
        return;
      }
      active &= split.lanes;
      if (launch_.ways) launch_.ways->before(warp, split, op, active);
      if (block_.checker->undefined) block_.checker->undefined->before(warp, split, op, active);
    }
    if (op.kind == OperationKind::lanes) [[likely]] {
      if (active) op.execute(warp, op, active);
      ++split.at;
      continue;
    }
    if (op.kind == OperationKind::branch) {
      branch(warp, split, op, active);
      // The round of a loop that waits for the other blocks: it is their turn.
      if (warp.looked_at_grid || warp.polled) [[unlikely]] {
        waits_for_grid = warp.looked_at_grid;
        break;
      }
      look_up();
      continue;
    }
    if (!active) {
      ++split.at;
      continue;
    }
    if (op.kind == OperationKind::exit) {
      end_lanes(warp, active);
      split.lanes &= ~active;
      if (!split.lanes) return;
      ++split.at;
      continue;
    }
    // What follows is done by a split as a whole: lanes that the guard leaves out go ahead and wait
    // behind the operation.
    if (active != split.lanes) {
      isolate(warp, split, active);
      look_up();
    }
    switch (op.kind) {
    case OperationKind::indirect_branch: {
      const auto& table = warp.activations[split.activation].code->branch_tables[op.target];
      const std::uint32_t* index = lanes_at<const std::uint32_t>(warp.frame, op.slot[1]);
      const std::uint32_t chosen = index[std::countr_zero(split.lanes)];
      std::uint32_t others = 0;
      for (std::uint32_t left = split.lanes; left; left &= left - 1)
        if (index[std::countr_zero(left)] != chosen) others |= left & (0u - left);
      // Lanes with another index stay, and branch when their turn comes.
      if (others) diverge(warp, split, op.reconverge, split.at, others);
      split.at = chosen < table.size() ? table[chosen] : split.at + 1;
      look_up();
      continue;
    }
    case OperationKind::rendezvous:
      if (!meet_at_rendezvous(warp, split, op)) return;
      look_up();
      continue;
    case OperationKind::barrier:
      if (!wait_at_barrier(warp, split, op)) return;
      continue;
    case OperationKind::phase_wait:
      if (!wait_for_phase(warp, split, op)) return;
      continue;
    case OperationKind::cluster_wait:
      if (!wait_for_cluster(warp, split, op)) return;
      continue;
    case OperationKind::product_wait:
      if (!wait_for_products(warp, split, op)) return;
      continue;
    case OperationKind::register_wait:
      if (!wait_for_registers(warp, split, op)) return;
      continue;
    case OperationKind::call:
      if (!call(warp, split, op)) return;
      look_up();
      continue;
    case OperationKind::leave:
      if (warp.activations[split.activation].caller == kNone) {
        end_lanes(warp, split.lanes);
        return;
      }
      leave(warp, split);
      look_up();
      continue;
    case OperationKind::trap:
      end_by_trap(warp, split);
      return;
    case OperationKind::lanes:
    case OperationKind::branch:
    case OperationKind::exit:
      return; // handled above
    }
  }

  if (block_.block_instructions > launch_.budget) {
    exceed_budget(warp, split);
    return;
  }
  if (launch_.stopped()) [[unlikely]] {
    stop_here(warp, split);
    return;
  }
  may_wait_ = may_wait_ || warp.touched_atomics;
  only_for_grid_ = waits_for_grid;
  only_polls_ = warp.polled != nullptr;
  split.polled = warp.polled;
  if (warp.touched_atomics)
    for (std::uint32_t join = split.join; join != kNone; join = warp.joins[join].outer)
      release_waiting(warp, join);
  split.round = round_;
  warp.splits.push_back(split);
}

void Interpreter::end_by_trap(Warp& warp, const Split& split) {
  const ptx::SourceLine line = line_at(warp, split.activation, split.at);
  // A store to constant memory, for one: nvcc warns of it, and where.
  const Says what = is_grid_barrier_without_grid(warp.activations[split.activation], split.at)
                        ? Says::needs_cooperative_launch
                    : line.line ? Says::trap
                                : Says::trap_of_compiler;
  block_.checker->fail(device::FindingKind::trap, line, warp,
                       static_cast<std::uint32_t>(std::countr_zero(split.lanes)), Message(what));
}

// Cooperative groups end a kernel that has no workspace by a trap in their own header. Without line
// numbers, a trap of a function that asks for the workspace is taken for theirs.
bool Interpreter::is_grid_barrier_without_grid(const Activation& activation,
                                               std::uint32_t operation) const {
  const Code& code = *activation.code;
  if (launch_.grid_workspace || operation >= code.instruction.size()) return false;
  const auto& at = code.function->body[code.instruction[operation]].innermost;
  const bool asks = std::ranges::any_of(code.specials, [](const FrameSpecial& special) {
    return special.which == SpecialRegister::grid_workspace_low;
  });
  return at.line ? launch_.program->file_of(at).find("cooperative_groups") != std::string::npos
                 : asks;
}

// Before an operation by which threads can tell who was first: some of the split's lanes may go on
// by themselves from here, and others may have their turn before it. True when they do.
bool Interpreter::gives_way(Warp& warp, Split& split, const Operation& op, std::uint32_t active) {
  if (launch_.chooser) return stops(warp, split, op, active);
  if (!launch_.liberties || std::exchange(split.had_turn, false)) return false;
  Liberties& liberties = *launch_.liberties;
  // Instructions for products want whole warps, and cannot wait for lanes that are elsewhere.
  if (!launch_.entry->has_products && warp.splits.size() < kMostParts) {
    const std::uint32_t others = liberties.parting(split.lanes);
    if (others && others != split.lanes) diverge(warp, split, kNowhere, split.at, others);
  }
  if (!liberties.preempts()) return false;
  // Lanes that wait where paths meet need not wait for those that are elsewhere.
  if (!launch_.entry->has_products && liberties.one_in(16))
    for (std::uint32_t join = split.join; join != kNone; join = warp.joins[join].outer)
      release_waiting(warp, join);
  split.had_turn = true;
  split.round = round_;
  split.not_before = round_ + liberties.rounds();
  warp.splits.push_back(split);
  preempted_ = true;
  only_for_grid_ = only_polls_ = false;
  return true;
}

// Those that were preempted have been for long enough. False: there are none.
bool Interpreter::let_all_go_on() {
  bool any = false;
  for (Warp& warp : block_.warps) {
    for (Split& split : warp.splits) {
      any = any || split.not_before > round_;
      split.not_before = 0;
    }
  }
  return any;
}

bool Interpreter::arrive(Warp& warp, Split& split) {
  Join& join = warp.joins[split.join];
  join.arrived |= split.lanes;
  if (join.arrived != join.expected) return false;
  split.lanes = join.arrived;
  const std::uint32_t done = split.join;
  split.join = join.outer;
  free_join(warp, done);
  return true;
}

void Interpreter::free_join(Warp& warp, std::uint32_t join) {
  warp.joins[join].expected = warp.joins[join].arrived = 0;
  while (!warp.joins.empty() && warp.joins.back().expected == 0) warp.joins.pop_back();
}

void Interpreter::branch(Warp& warp, Split& split, const Operation& op, std::uint32_t taken) {
  const std::uint32_t stay = split.lanes & ~taken;
  if (!taken) {
    ++split.at;
  } else if (!stay) {
    split.at = op.target;
  } else {
    ++block_.totals.divergent_branches;
    ++split.at;
    diverge(warp, split, op.reconverge, op.target, taken);
  }
}

// `other_lanes` leave the split and go on at `other_at`; both wait for each other at `meet`.
void Interpreter::diverge(Warp& warp, Split& split, std::uint32_t meet, std::uint32_t other_at,
                          std::uint32_t other_lanes) {
  if (launch_.chooser) meet = kNowhere; // nobody promises that they wait
  if (meet != kNowhere) {
    // A loop's lanes leave it one after the other, all to the same place: one join serves them.
    const bool known = split.join != kNone && warp.joins[split.join].at == meet &&
                       warp.joins[split.join].call == split.activation;
    if (!known) {
      std::uint32_t free = 0;
      while (free < warp.joins.size() && warp.joins[free].expected) ++free;
      if (free == warp.joins.size()) warp.joins.emplace_back();
      warp.joins[free] = {meet, split.activation, split.join, split.lanes, 0};
      split.join = free;
    }
  }
  split.lanes &= ~other_lanes;
  Split other = split;
  other.at = other_at;
  other.lanes = other_lanes;
  if (meet != kNowhere && other_at == meet)
    warp.joins[split.join].arrived |= other_lanes;
  else
    warp.splits.push_back(other);
}

// The lanes not in `active` go ahead to the next operation and wait there.
void Interpreter::isolate(Warp& warp, Split& split, std::uint32_t active) {
  diverge(warp, split, split.at + 1, split.at + 1, split.lanes & ~active);
}

void Interpreter::end_lanes(Warp& warp, std::uint32_t lanes) {
  warp.live &= ~lanes;
  block_.live -= static_cast<std::uint32_t>(std::popcount(lanes));
  for (Activation& activation : warp.activations) activation.lanes &= ~lanes;
  for (std::uint32_t i = 0; i < warp.joins.size(); ++i) {
    Join& join = warp.joins[i];
    if (!(join.expected & lanes)) continue;
    join.expected &= ~lanes;
    join.arrived &= ~lanes;
    if (join.expected && join.expected == join.arrived) release_waiting(warp, i);
  }
  while (!warp.joins.empty() && warp.joins.back().expected == 0) warp.joins.pop_back();
  complete_rendezvous(warp);
  complete_barriers();
}

// Lanes that wait at a join go on without those that have not come.
void Interpreter::release_waiting(Warp& warp, std::uint32_t index) {
  Join& join = warp.joins[index];
  if (!join.arrived) return;
  Split split;
  split.at = join.at;
  split.lanes = join.arrived;
  split.join = join.outer;
  split.activation = join.call;
  join.expected &= ~join.arrived;
  join.arrived = 0;
  warp.splits.push_back(split);
}

// Of what has not come to an end: a launch beside it is not what it waits for.
Message Interpreter::beside_streams(Message message) const {
  if (!launch_.stream_races) return message;
  return Message(Says::before_other_streams, std::move(message));
}

void Interpreter::exceed_budget(Warp& warp, const Split& split) {
  block_.checker->fail(device::FindingKind::budget, line_at(warp, split.activation, split.at), warp,
                       static_cast<std::uint32_t>(std::countr_zero(split.lanes)),
                       beside_streams(Message(Says::still_running, Count{launch_.budget})));
}

void Interpreter::stop_here(Warp& warp, const Split& split) {
  block_.checker->fail(device::FindingKind::budget, line_at(warp, split.activation, split.at), warp,
                       static_cast<std::uint32_t>(std::countr_zero(split.lanes)),
                       beside_streams(Message(Says::was_here, Count{block_.block_instructions})));
}

void Interpreter::tell_pace() {
  if (launch_.pace) launch_.pace->instructions_of_launch += block_.block_instructions - block_.told;
  block_.told = block_.block_instructions;
}

} // namespace course::emulator
