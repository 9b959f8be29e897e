#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <map>

namespace course::emulator {
namespace {

// ---- shfl

enum class Way { up, down, butterfly, index };

// Where a lane reads from, and whether that is within its segment. `control` holds the segment's
// mask in bits 8 to 12 and the last lane to read from in bits 0 to 4 (PTX ISA, shfl.sync).
struct From {
  u32 lane;
  bool inside;
};
template <Way kWay>
From source(u32 lane, u32 operand, u32 control) {
  const u32 clamp = control & 31, segment = control >> 8 & 31;
  operand &= 31;
  const u32 last = (lane & segment) | (clamp & ~segment);
  const u32 first = lane & segment;
  s32 from = 0;
  bool inside = false;
  switch (kWay) {
  case Way::up:
    from = static_cast<s32>(lane) - static_cast<s32>(operand);
    inside = from >= static_cast<s32>(last);
    break;
  case Way::down:
    from = static_cast<s32>(lane + operand);
    inside = from <= static_cast<s32>(last);
    break;
  case Way::butterfly:
    from = static_cast<s32>(lane ^ operand);
    inside = from <= static_cast<s32>(last);
    break;
  case Way::index:
    from = static_cast<s32>(first | (operand & ~segment));
    inside = from <= static_cast<s32>(last);
    break;
  }
  return {inside ? static_cast<u32>(from) : lane, inside};
}

// One whose result nobody needs is not executed.
void count_shuffle(Warp& warp, const MemoryOperand& access) {
  if (access.counted_width == 0) return;
  ++warp.block->totals.shuffles;
  warp.block->totals.shuffles_in_ptx += access.proof == Proof::exact ? 0 : 1;
}

template <Way kWay>
void shuffle(Warp& warp, const Operation& op, u32 mask) {
  alignas(64) std::array<u32, kLanes> value;
  std::memcpy(value.data(), warp.frame + op.slot[1], sizeof value);
  const u32* operand = lanes_at<const u32>(warp.frame, op.slot[2]);
  const u32* control = lanes_at<const u32>(warp.frame, op.slot[3]);
  alignas(64) std::array<u32, kLanes> result;
  u32 inside = 0, idle = 0;
  for (u32 lane = 0; lane < kLanes; ++lane) {
    const From from = source<kWay>(lane, operand[lane], control[lane]);
    // Of a lane that takes no part nothing is known, but a verdict has to be the same every time:
    // its register may hold what an earlier block left there.
    const bool known = mask >> (from.lane & 31) & 1;
    result[lane] = value[known ? from.lane & 31 : lane];
    inside |= from.inside ? 1u << lane : 0;
    idle |= known ? 0 : 1u << lane;
  }
  if (idle & mask) [[unlikely]]
    if (Liberties* liberties = warp.block->launch->liberties)
      for (u32 left = idle & mask; left; left &= left - 1)
        result[lowest(left)] = liberties->below(~0u);
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  for (int lane = 0; lane < kLanes; ++lane)
    to[lane] = mask & kLaneBit[lane] ? result[lane] : to[lane];
  u32& predicate = predicate_at(warp.frame, op.slot[kPairSlot]);
  predicate = (predicate & ~mask) | (inside & mask);
  count_shuffle(warp, *op.access);
  if (idle & mask) [[unlikely]] {
    const u32 lane = static_cast<u32>(std::countr_zero(idle & mask));
    // Undefined is the value, and not the program: a tree's upper half drops what it reads.
    const auto kind =
        warp.block->launch->lenient ? device::FindingKind::idle_lane : device::FindingKind::shuffle;
    warp.block->checker->report(kind, op.immediate, kNone, warp, lane, [&] {
      const From from = source<kWay>(lane, operand[lane], control[lane]);
      return Message(std::popcount(mask) == 1 ? Says::reads_from_all_but_one
                                              : Says::reads_from_idle_lane,
                     lane, from.lane, device::Lanes{mask});
    });
  }
}

template <Way kWay>
bool find_sources(const Warp& warp, const Operation& op, u32 mask, std::array<u8, kLanes>& from) {
  if (op.execute != static_cast<Execute>(shuffle<kWay>)) return false;
  const u32* operand = lanes_at<const u32>(warp.frame, op.slot[2]);
  const u32* control = lanes_at<const u32>(warp.frame, op.slot[3]);
  for (u32 lane = 0; lane < kLanes; ++lane) {
    const u32 source_of = source<kWay>(lane, operand[lane], control[lane]).lane & 31;
    from[lane] = static_cast<u8>(mask >> source_of & 1 ? source_of : lane);
  }
  return true;
}

// ---- vote

template <typename F>
void vote(Warp& warp, const Operation& op, u32 mask) {
  const bool value = F::apply(predicate_at(warp.frame, op.slot[1]), mask);
  u32& result = predicate_at(warp.frame, op.slot[0]);
  result = (result & ~mask) | (value ? mask : 0);
}
struct All {
  static bool apply(u32 predicate, u32 mask) { return (predicate & mask) == mask; }
};
struct Any {
  static bool apply(u32 predicate, u32 mask) { return (predicate & mask) != 0; }
};
struct Uniform {
  static bool apply(u32 predicate, u32 mask) {
    return All::apply(predicate, mask) || !Any::apply(predicate, mask);
  }
};

void fill(Warp& warp, Slot slot, u32 mask, u32 value) {
  u32* result = lanes_at<u32>(warp.frame, slot);
  for (int lane = 0; lane < kLanes; ++lane)
    result[lane] = mask & kLaneBit[lane] ? value : result[lane];
}
void ballot(Warp& warp, const Operation& op, u32 mask) {
  fill(warp, op.slot[0], mask, predicate_at(warp.frame, op.slot[1]) & mask);
}
void active_mask(Warp& warp, const Operation& op, u32 mask) {
  fill(warp, op.slot[0], mask, mask);
}
void elect(Warp& warp, const Operation& op, u32 mask) {
  const u32 leader = static_cast<u32>(std::countr_zero(mask));
  fill(warp, op.slot[0], mask, leader);
  u32& predicate = predicate_at(warp.frame, op.slot[kPairSlot]);
  predicate = (predicate & ~mask) | 1u << leader;
}

// ---- match

template <typename T>
void match_any(Warp& warp, const Operation& op, u32 mask) {
  alignas(64) std::array<T, kLanes> value;
  std::memcpy(value.data(), warp.frame + op.slot[1], sizeof value);
  u32* result = lanes_at<u32>(warp.frame, op.slot[0]);
  for (u32 left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    u32 same = 0;
    for (int other = 0; other < kLanes; ++other)
      same |= value[other] == value[lane] ? kLaneBit[other] : 0;
    result[lane] = same & mask;
  }
}
template <typename T>
void match_all(Warp& warp, const Operation& op, u32 mask) {
  const T* value = lanes_at<const T>(warp.frame, op.slot[1]);
  bool all = true;
  const T first = value[std::countr_zero(mask)];
  for (u32 left = mask; left; left &= left - 1) all = all && value[std::countr_zero(left)] == first;
  fill(warp, op.slot[0], mask, all ? mask : 0);
  u32& predicate = predicate_at(warp.frame, op.slot[kPairSlot]);
  predicate = (predicate & ~mask) | (all ? mask : 0);
}

// ---- redux

template <typename T, typename F>
void reduce(Warp& warp, const Operation& op, u32 mask) {
  const T* value = lanes_at<const T>(warp.frame, op.slot[1]);
  T total = value[std::countr_zero(mask)];
  for (u32 left = mask & (mask - 1); left; left &= left - 1)
    total = F::apply(total, value[std::countr_zero(left)]);
  fill(warp, op.slot[0], mask, static_cast<u32>(total));
}
struct Sum {
  static u32 apply(u32 a, u32 b) { return a + b; }
};
struct Least {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Most {
  template <typename T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct And {
  static u32 apply(u32 a, u32 b) { return a & b; }
};
struct Or {
  static u32 apply(u32 a, u32 b) { return a | b; }
};
struct Xor {
  static u32 apply(u32 a, u32 b) { return a ^ b; }
};

const std::map<std::string, Exchange>& exchanges() {
  static const std::map<std::string, Exchange> all = {
      {"shfl.sync.up.b32", {shuffle<Way::up>, "wwwww", true, true}},
      {"shfl.sync.down.b32", {shuffle<Way::down>, "wwwww", true, true}},
      {"shfl.sync.bfly.b32", {shuffle<Way::butterfly>, "wwwww", true, true}},
      {"shfl.sync.idx.b32", {shuffle<Way::index>, "wwwww", true, true}},
      {"vote.sync.all.pred", {vote<All>, "ppw"}},
      {"vote.sync.any.pred", {vote<Any>, "ppw"}},
      {"vote.sync.uni.pred", {vote<Uniform>, "ppw"}},
      {"vote.sync.ballot.b32", {ballot, "wpw"}},
      {"match.any.sync.b32", {match_any<u32>, "www"}},
      {"match.any.sync.b64", {match_any<u64>, "wdw"}},
      {"match.all.sync.b32", {match_all<u32>, "www", true}},
      {"match.all.sync.b64", {match_all<u64>, "wdw", true}},
      {"redux.sync.add.u32", {reduce<u32, Sum>, "www"}},
      {"redux.sync.add.s32", {reduce<u32, Sum>, "www"}},
      {"redux.sync.min.u32", {reduce<u32, Least>, "www"}},
      {"redux.sync.min.s32", {reduce<s32, Least>, "www"}},
      {"redux.sync.max.u32", {reduce<u32, Most>, "www"}},
      {"redux.sync.max.s32", {reduce<s32, Most>, "www"}},
      {"redux.sync.and.b32", {reduce<u32, And>, "www"}},
      {"redux.sync.or.b32", {reduce<u32, Or>, "www"}},
      {"redux.sync.xor.b32", {reduce<u32, Xor>, "www"}},
      {"elect.sync", {elect, "ww", true}},
      {"activemask.b32", {active_mask, "w"}},
  };
  return all;
}

} // namespace

std::array<std::uint8_t, kLanes> shuffled_from(const Warp& warp, const Operation& op,
                                               std::uint32_t lanes) {
  std::array<u8, kLanes> from{};
  (void)(find_sources<Way::up>(warp, op, lanes, from) ||
         find_sources<Way::down>(warp, op, lanes, from) ||
         find_sources<Way::butterfly>(warp, op, lanes, from) ||
         find_sources<Way::index>(warp, op, lanes, from));
  return from;
}

const Exchange* exchange_operation(const std::string& name) {
  // ptxas takes "vote.ballot.sync.b32", as CUB writes it, for "vote.sync.ballot.b32".
  std::string usual = name;
  if (const auto at = name.find(".sync."); name.starts_with("vote.") && at != 4 && at != name.npos)
    usual = "vote.sync" + name.substr(4, at - 4) + name.substr(at + 5);
  const auto found = exchanges().find(usual);
  return found == exchanges().end() ? nullptr : &found->second;
}

std::vector<std::string> exchange_names() {
  std::vector<std::string> names;
  for (const auto& [name, exchange] : exchanges()) names.push_back(name);
  return names;
}

} // namespace course::emulator
