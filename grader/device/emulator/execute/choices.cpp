#include "device/emulator/execute/choices.hpp"

#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/atomics.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/explore/chooser.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace course::emulator {
namespace {

// Where a lane's access is.
struct InMemory {
  std::uint64_t memory = 0, begin = 0;
  std::byte* bytes = nullptr; // nullptr: in no memory that threads have in common
};

InMemory in_shared(const Warp& warp, const MemoryOperand& access, u64 offset) {
  Block& block = *warp.block;
  if (offset + access.width() > block.shared.layout().guarded_bytes()) return {};
  return {block.linear + 1, offset, block.shared.bytes() + offset};
}

InMemory in_global(const Warp& warp, const MemoryOperand& access, u64 address) {
  Allocation* memory = warp.block->launch->memory->find(address);
  if (!memory || memory->freed || !memory->holds(address, access.width())) return {};
  return {0, address, memory->bytes.get() + (address - memory->base)};
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

Agent agent_of(const Warp& warp, u32 lane) {
  const Block& block = *warp.block;
  return static_cast<Agent>(block.linear * block.launch->threads() + warp.index * kLanes + lane);
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

// The values in the registers of a warp, but for the result of the access, which it replaces.
u64 digest(const Warp& warp, const Split& split, const MemoryOperand& access) {
  const Code& code = *warp.activations[split.activation].code;
  u64 digest = split.activation;
  const std::size_t results = access.direction == Direction::load     ? access.components
                              : access.direction == Direction::atomic ? 1
                                                                      : 0;
  for (std::size_t at = 0; at + 8 <= code.frame_bytes; at += 8) {
    const auto is_result = [&](std::size_t c) {
      return at - access.value[c] < std::size_t{access.element} * kLanes && at >= access.value[c];
    };
    bool skip = false;
    for (std::size_t c = 0; c < results; ++c)
      skip = skip || (is_result(c) && access.value[c] != access.base);
    if (skip) continue;
    u64 word;
    std::memcpy(&word, warp.frame + at, sizeof word);
    digest = (digest ^ word) * device::kSplitmixStep;
    digest ^= digest >> 29;
  }
  return digest;
}

} // namespace

// Lanes that are about to make a step that others can tell the time of stop before it, each by
// itself. True: the split is at an end.
bool Interpreter::stops(Warp& warp, Split& split, const Operation& op, u32 active) {
  if (std::exchange(split.had_turn, false)) return false;
  const MemoryOperand* access = op.access;
  if (!access || !(access->strong || access->direction == Direction::atomic)) return false;
  u32 stopping = 0;
  for (u32 left = active; left; left &= left - 1)
    if (place_of(warp, *access, lowest(left)).bytes) stopping |= left & (0u - left);
  if (!stopping) return false;
  for (u32 left = stopping; left; left &= left - 1) {
    Split one = split;
    one.lanes = left & (0u - left);
    one.state = Split::State::at_choice;
    const u32 lane = lowest(left);
    Looks::Look look{&op,
                     digest(warp, split, *access),
                     place_of(warp, *access, lane).bytes,
                     std::min(access->width(), 16u),
                     {}};
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

void Interpreter::run_to_choices() {
  while (block_.live && !block_.ended) {
    bool ran = false, stopped = false;
    ++round_;
    for (Warp& warp : block_.warps) {
      while (Split* ready = next_ready(warp)) {
        const Split split = *ready;
        *ready = warp.splits.back();
        warp.splits.pop_back();
        run_split(warp, split);
        ran = true;
        if (block_.ended) return;
      }
      for (const Split& split : warp.splits)
        stopped = stopped || split.state == Split::State::at_choice;
    }
    if (ran) continue;
    if (stopped) return;
    if (!let_past()) report_deadlock();
  }
}

void Interpreter::add_stopped(std::vector<Stopped>& all) const {
  for (Warp& warp : block_.warps) {
    std::byte* const before = warp.frame;
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::at_choice) continue;
      const Activation& activation = warp.activations[split.activation];
      warp.frame = warp.registers[activation.frame].bytes;
      const MemoryOperand& access = *activation.code->operations[split.at].access;
      const u32 lane = lowest(split.lanes);
      const InMemory place = place_of(warp, access, lane);
      Stopped stopped{{},   &block_, warp.index,
                      lane, &access, &block_.looks.at(warp.index * kLanes + lane)};
      stopped.step = {agent_of(warp, lane),
                      does(access),
                      true,
                      place.memory,
                      place.begin,
                      access.width(),
                      reinterpret_cast<std::uintptr_t>(access.combine)};
      all.push_back(stopped);
    }
    warp.frame = before;
  }
}

void Interpreter::go_on(const Stopped& chosen) {
  Warp& warp = block_.warps[chosen.warp];
  for (Split& split : warp.splits) {
    if (split.state != Split::State::at_choice || split.lanes != 1u << chosen.lane) continue;
    split.state = Split::State::ready;
    split.had_turn = true;
    split.round = 0;
  }
  run_to_choices();
}

void Interpreter::report_endless_look(const Stopped& stopped) {
  const Site& site = launch_.program->sites()[stopped.access->id];
  block_.checker->fail(device::FindingKind::budget, site.source, block_.warps[stopped.warp],
                       stopped.lane, Message(Says::looks_for_ever), {}, &site);
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
