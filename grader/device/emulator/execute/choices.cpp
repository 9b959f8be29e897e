#include "device/emulator/execute/choices.hpp"

#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/live_registers.hpp"
#include "device/emulator/execute/atomics.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/explore/chooser.hpp"
#include "device/emulator/state/cluster.hpp"
#include "device/emulator/state/local_memory.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace course::emulator {

Agent agent_of(const Warp& warp, u32 lane) {
  const Block& block = *warp.block;
  return static_cast<Agent>(block.linear * block.launch->threads() + warp.index * kLanes + lane);
}

namespace {

// Where a lane's access is.
struct InMemory {
  Block* block = nullptr; // nullptr: global memory
  std::uint64_t begin = 0;
  std::byte* bytes = nullptr; // nullptr: in no memory that threads have in common

  std::uint64_t memory() const { return block ? block->linear + 1 : 0; }
};

// Addresses have the rank of a block in its cluster; those of variables are the block's own.
InMemory in_shared(const Warp& warp, const MemoryOperand& access, u64 address) {
  Block* block = warp.block;
  const u64 rank = (address & kRankBits) >> kRankShift, offset = address & ~u64{kRankBits};
  if (block->cluster && access.has_base) {
    if (rank >= block->cluster->blocks.size()) return {};
    block = block->cluster->blocks[rank];
  }
  if (offset + access.width() > block->shared.layout().guarded_bytes()) return {};
  return {block, offset, block->shared.bytes() + offset};
}

InMemory in_global(const Warp& warp, const MemoryOperand& access, u64 address) {
  Allocation* memory = warp.block->launch->memory->find(address);
  if (!memory || memory->freed || !memory->holds(address, access.width())) return {};
  return {nullptr, address, memory->bytes.get() + (address - memory->base)};
}

// With the warp's frame that of the split.
InMemory place_of(const Warp& warp, const MemoryOperand& access, u32 lane) {
  if (access.space == ptx::Space::shared) {
    LaneOffsets at;
    point(warp, access, at);
    return in_shared(warp, access, at.of[lane]);
  }
  if (access.space != ptx::Space::global && access.space != ptx::Space::generic) return {};
  LaneAddresses at;
  point(warp, access, at);
  const u64 address = at.of[lane];
  return access.space == ptx::Space::generic && in_window(address, kSharedWindow)
             ? in_shared(warp, access, address - kSharedWindow)
             : in_global(warp, access, address);
}

void add_agents(std::vector<Agent>& to, const Warp& warp, u32 lanes) {
  for (u32 left = lanes; left; left &= left - 1) to.push_back(agent_of(warp, lowest(left)));
}

Step::Does does(const MemoryOperand& access) {
  if (access.direction == Direction::load) return Step::Does::reads;
  const bool joins = access.direction == Direction::atomic && !access.returns && access.combine &&
                     joins_in_any_order(access.combine);
  return joins ? Step::Does::joins : Step::Does::changes;
}

bool looks_at_phase(const Operation& op) {
  return op.kind == OperationKind::phase_wait || op.execute == test_phase;
}
bool is_at_barrier(const Operation& op) {
  return looks_at_phase(op) || op.execute == initialise_barrier ||
         op.execute == invalidate_barrier || op.execute == expect_bytes ||
         op.execute == complete_bytes || op.execute == arrive_at_barrier ||
         op.execute == arrive_when_copied;
}
bool is_step(const Operation& op) {
  const MemoryOperand* access = op.access;
  if (!access) return false;
  if (is_at_barrier(op)) return true;
  return !access->barrier && !access->asynchronous &&
         (access->strong || access->direction == Direction::atomic);
}

// At a barrier that is there and that is used as one; otherwise the step is a change.
void add_phase(Step& step, const Mbarrier* barrier, u64 steps) {
  if (!barrier || step.arrivals > barrier->pending ||
      (step.brings > 0 && !barrier->pending && barrier->bytes < step.brings)) {
    step.does = Step::Does::changes;
    return;
  }
  step.phase = {barrier->phase, steps, barrier->pending, barrier->bytes};
}

// Of a step at a barrier: what it does there.
void add_phase(Step& step, const Warp& warp, const Operation& op, u32 lane, const Block& block) {
  const auto number = [&] { return lanes_at<const u32>(warp.frame, op.slot[1])[lane]; };
  step.bytes = 8;
  step.does = looks_at_phase(op) ? Step::Does::looks : Step::Does::arrives;
  if (op.execute == initialise_barrier || op.execute == invalidate_barrier ||
      op.execute == complete_bytes) {
    step.does = Step::Does::changes;
    return;
  }
  if (op.execute == arrive_at_barrier) {
    const bool expects = op.immediate & kExpects;
    step.arrivals = expects ? 1 : number();
    step.brings = expects ? -s64{number()} : 0;
  } else if (op.execute == expect_bytes) {
    step.brings = -s64{number()};
  } else if (op.execute == arrive_when_copied) {
    step.arrivals = op.immediate & kIncreases ? -1 : 0;
  }
  MemoryBarriers& barriers = const_cast<Block&>(block).memory_barriers;
  add_phase(step, barriers.find(static_cast<u32>(step.begin)), barriers.progress);
}

// What a look compares with the next one.
std::pair<const std::byte*, u32> looked_at(const Operation& op, const InMemory& place) {
  if (!is_at_barrier(op)) return {place.bytes, std::min(op.access->width(), 16u)};
  MemoryBarriers& barriers = place.block->memory_barriers;
  const u64& number =
      looks_at_phase(op) ? barriers.turns[static_cast<u32>(place.begin)] : barriers.progress;
  return {reinterpret_cast<const std::byte*>(&number), sizeof number};
}

class Digest {
public:
  void add(u64 word) {
    digest_ = (digest_ ^ word) * device::kSplitmixStep;
    digest_ ^= digest_ >> 29;
  }
  void add(const std::byte* bytes, std::size_t size) {
    for (std::size_t at = 0; at < size; at += 8) {
      u64 word = 0;
      std::memcpy(&word, bytes + at, std::min<std::size_t>(8, size - at));
      add(word);
    }
  }
  u64 value() const { return digest_; }

private:
  u64 digest_ = 0;
};

// All that the lane has to itself, and that it may still read: registers of the function and of
// those that called it, and its stack.
u64 digest(Warp& warp, const Split& split, u32 lane) {
  Digest digest;
  u32 at = split.at;
  for (u32 i = split.activation; i != kNone; i = warp.activations[i].caller) {
    const Activation& activation = warp.activations[i];
    std::byte* const frame = warp.registers[activation.frame].bytes;
    digest.add(u64{i} << 32 | at);
    for (const auto& held : warp.block->launch->live_registers->before(*activation.code, at)) {
      if (held.bytes)
        digest.add(frame + held.slot + std::size_t{lane} * held.bytes, held.bytes);
      else
        digest.add(lanes_at<const u32>(frame, held.slot)[0] >> lane & 1);
    }
    at = activation.return_to;
  }
  for (std::size_t offset = 0; offset < warp.local.size() / kLanes; offset += kLocalPiece)
    digest.add(&warp.local[local_place(lane, offset)], kLocalPiece);
  return digest.value();
}

} // namespace

// Lanes that are about to make a step that others can tell the time of stop before it, each by
// itself. True: the split is at an end.
bool Interpreter::stops(Warp& warp, Split& split, const Operation& op, u32 active) {
  if (std::exchange(split.had_turn, false) || !is_step(op)) return false;
  u32 stopping = 0;
  for (u32 left = active; left; left &= left - 1)
    if (place_of(warp, *op.access, lowest(left)).bytes) stopping |= left & (0u - left);
  if (!stopping) return false;
  for (u32 left = stopping; left; left &= left - 1) {
    Split one = split;
    one.lanes = left & (0u - left);
    one.state = Split::State::at_choice;
    const u32 lane = lowest(left);
    const auto [at, bytes] = looked_at(op, place_of(warp, *op.access, lane));
    Looks::Look look{&op, digest(warp, split, lane), at, bytes, {}};
    std::memcpy(look.found.data(), look.at, look.bytes);
    block_.looks[warp.index * kLanes + lane].add(look);
    warp.splits.push_back(one);
  }
  split.lanes &= ~stopping;
  if (split.lanes) {
    split.round = round_;
    warp.splits.push_back(split);
  }
  return true;
}

bool Interpreter::run_to_choices() {
  bool any = false;
  while (block_.live && !block_.ended) {
    end_waits_for_others();
    bool ran = false, stopped = false;
    ++round_;
    for (Warp& warp : block_.warps) {
      while (Split* ready = next_ready(warp)) {
        const Split split = *ready;
        *ready = warp.splits.back();
        warp.splits.pop_back();
        run_split(warp, split);
        ran = true;
        if (block_.ended) return true;
      }
      for (const Split& split : warp.splits)
        stopped = stopped || split.state == Split::State::at_choice;
    }
    any = any || ran;
    if (ran) continue;
    if (stopped) return any;
    if (let_past()) continue;
    if (block_.cluster) return any; // its other blocks may let it go on
    report_deadlock();
  }
  return any;
}

void Interpreter::add_stopped(std::vector<Stopped>& all) const {
  for (Warp& warp : block_.warps) {
    std::byte* const before = warp.frame;
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::at_choice) continue;
      const Activation& activation = warp.activations[split.activation];
      warp.frame = warp.registers[activation.frame].bytes;
      const Operation& op = activation.code->operations[split.at];
      const MemoryOperand& access = *op.access;
      const u32 lane = lowest(split.lanes);
      const InMemory place = place_of(warp, access, lane);
      Stopped stopped{{},   &block_, &warp,
                      lane, &access, &block_.looks.at(warp.index * kLanes + lane)};
      Step& step = stopped.step;
      step.agent = agent_of(warp, lane);
      step.does = does(access);
      step.memory = place.memory();
      step.begin = place.begin;
      step.bytes = access.width();
      step.joined_by = reinterpret_cast<std::uintptr_t>(access.combine);
      if (is_at_barrier(op)) add_phase(step, warp, op, lane, *place.block);
      all.push_back(stopped);
    }
    warp.frame = before;
  }
  add_copies(all);
}

// Those to barriers of the block, which come even where it has ended meanwhile.
void Interpreter::add_copies(std::vector<Stopped>& all) const {
  MemoryBarriers& barriers = block_.memory_barriers;
  for (const Tracked& copy : barriers.under_way) {
    Stopped stopped{{}, &block_, copy.by, copy.lane, copy.access, nullptr};
    Step& step = stopped.step;
    step.agent = copy.agent;
    step.does = Step::Does::arrives;
    step.memory = block_.linear + 1;
    step.begin = copy.barrier;
    step.bytes = 8;
    const bool arrives = copy.what == Tracked::What::copies;
    step.arrivals = arrives ? 1 : 0;
    step.brings = arrives ? 0 : static_cast<s64>(copy.bytes.size());
    add_phase(step, barriers.find(copy.barrier), barriers.progress);
    all.push_back(stopped);
  }
}

void Interpreter::go_on(const Stopped& chosen) {
  if (!chosen.looks) return let_one_come(block_, chosen.step.agent);
  Warp& warp = block_.warps[chosen.warp->index];
  for (Split& split : warp.splits) {
    if (split.state != Split::State::at_choice || split.lanes != 1u << chosen.lane) continue;
    split.state = Split::State::ready;
    split.had_turn = true;
    split.round = 0;
  }
}

void Interpreter::report_endless_look(const Stopped& stopped) {
  const Site& site = launch_.program->sites()[stopped.access->id];
  block_.checker->fail(device::FindingKind::budget, site.source, *stopped.warp, stopped.lane,
                       Message(Says::looks_for_ever), {}, &site);
}

void Interpreter::meet(const Warp& warp, u32 lanes) {
  std::vector<Agent> threads;
  add_agents(threads, warp, lanes);
  launch_.chooser->meet(threads);
}

// Those that wait at a barrier, and where it is of the whole block all that ever did anything.
void Interpreter::meet_all(std::uint32_t barrier) {
  std::vector<Agent> threads;
  for (const Warp& warp : block_.warps) {
    for (const Split& split : warp.splits)
      if (split.state == Split::State::at_barrier && split.barrier == barrier)
        add_agents(threads, warp, split.lanes);
  }
  launch_.chooser->meet(threads);
}

} // namespace course::emulator
