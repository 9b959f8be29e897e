// What becomes of undefined bits where operations are executed.
#include "device/emulator/check/undefined.hpp"

#include "device/code/ptx/registers.hpp"
#include "device/emulator/check/undefined_letters.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>
#include <cstring>

namespace course::emulator {
namespace {

constexpr int kWholeSlot = 5; // of pack and unpack: decode_lanes.cpp

// Of two integers that are compared by their order, each with undefined bits: whether all that they
// may be compare alike.
bool decided(u64 a, u64 undefined_a, u64 b, u64 undefined_b, u64 all, bool is_signed) {
  // What a comparison of signed numbers sees is one of others with the sign turned.
  const u64 sign = is_signed ? all ^ all >> 1 : 0;
  a ^= sign;
  b ^= sign;
  const u64 least_a = a & ~undefined_a, most_a = a | undefined_a;
  const u64 least_b = b & ~undefined_b, most_b = b | undefined_b;
  return most_a < least_b || most_b < least_a;
}

template <typename T>
void widen(std::byte* frame, Slot slot, std::array<u64, kLanes>& values) {
  const T* from = lanes_at<const T>(frame, slot);
  for (u32 lane = 0; lane < kLanes; ++lane) values[lane] = from[lane];
}

} // namespace

Undefined::Bits Undefined::real(const Warp& warp, Slot slot, char letter) {
  Bits values;
  switch (letter == 'p' ? 0 : bytes_of(letter)) {
  case 0:
    for (u32 lane = 0; lane < kLanes; ++lane)
      values[lane] = predicate_at(warp.frame, slot) >> lane & 1;
    break;
  case 1:
    widen<std::uint8_t>(warp.frame, slot, values);
    break;
  case 2:
    widen<std::uint16_t>(warp.frame, slot, values);
    break;
  case 4:
    widen<u32>(warp.frame, slot, values);
    break;
  default:
    widen<u64>(warp.frame, slot, values);
  }
  return values;
}

void Undefined::before(Warp& warp, const Split& split, const Operation& op, u32 lanes) {
  Values& values = warps_[warp.index];
  if (values.empty()) return;
  constexpr u32 kNowAndThen = 64;
  if (++looked_at_ % kNowAndThen == 0)
    values.erase_if([](const auto& each) { return each.second.lanes == 0; });
  const Code& code = *warp.activations[split.activation].code;
  const Step& step = step_of(code, op);
  const Value* guard = op.guard_kind == GuardKind::none ? nullptr : find(warp, op.guard);
  const u32 chosen = guard ? guard->lanes & split.lanes : 0;
  if (step.rule == Rule::branch) {
    if (chosen) matters(*guard, chosen, Use::branch, code, op);
    if (op.kind == OperationKind::indirect_branch)
      if (const Value* index = find(warp, op.slot[1]); index && index->lanes & lanes)
        matters(*index, index->lanes & lanes, Use::branch, code, op);
    return;
  }
  if (step.sinks) {
    use_sources(warp, code, op, lanes);
    clear_results(warp, code, op, lanes);
  }
  switch (step.rule) {
  case Rule::none:
    if (chosen && op.counted) matters(*guard, chosen, Use::branch, code, op);
    return;
  case Rule::pack:
  case Rule::unpack: {
    if (chosen) matters(*guard, chosen, Use::branch, code, op);
    const auto& instruction =
        code.function
            ->body[code.instruction[static_cast<std::size_t>(&op - code.operations.data())]];
    const auto type = ptx::type_named(instruction.modifiers[0]);
    const u32 part = type && op.immediate ? ptx::size_of(*type) / op.immediate : 0;
    if (!part || part * op.immediate > 8)
      use_sources(warp, code, op, lanes);
    else if (step.rule == Rule::pack)
      pack(warp, op, lanes, part);
    else
      unpack(warp, op, lanes, part);
    return;
  }
  case Rule::load:
  case Rule::store: {
    const MemoryOperand& access = *op.access;
    if (chosen) matters(*guard, chosen, Use::branch, code, op);
    if (access.has_base && !access.area_bytes)
      if (const Value* base = find(warp, access.base); base && base->lanes & lanes)
        matters(*base, base->lanes & lanes, Use::address, code, op);
    if (step.rule == Rule::load)
      for (u32 c = 0; c < access.components; ++c) clear(warp, access.value[c], lanes);
    if (access.area_bytes)
      step.rule == Rule::load ? load_parameter(warp, access, lanes)
                              : store_parameter(warp, access, lanes);
    if (step.rule == Rule::store && block_.cluster) use_sources(warp, code, op, lanes);
    return;
  }
  default:
    compute(warp, step, op, lanes, guard, chosen);
    return;
  }
}

void Undefined::compute(Warp& warp, const Step& step, const Operation& op, u32 lanes,
                        const Value* guard, u32 chosen) {
  std::array<Value*, 6> from{};
  u32 any = 0;
  const auto operands = static_cast<u32>(step.letters.size());
  for (u32 i = 1; i < operands && i < from.size(); ++i) {
    if (step.letters[i] == 'i') continue;
    from[i] = find(warp, op.slot[i]);
    if (from[i]) any |= from[i]->lanes & lanes;
  }
  if (step.carries) {
    from[5] = find(warp, op.slot[5]);
    if (from[5]) any |= from[5]->lanes & lanes;
  }
  const char letter = step.letters[0];
  const u64 all = all_bits(letter);
  const u32 touched = any | chosen;
  if (!touched) {
    clear(warp, op.slot[0], lanes);
    if (step.carries || step.pair) clear(warp, op.slot[5], lanes);
    return;
  }
  const bool moves = step.rule == Rule::moved && any;
  Bits bits = moves ? move_bits(warp, step, op, from) : bits_of(warp, step, op, from);
  std::array<u32, kLanes> origin{}; // of the first operand that has one
  for (u32 i = static_cast<u32>(from.size()); i-- > 0;)
    if (from[i] && from[i]->lanes == kAllLanes)
      origin = from[i]->origin;
    else if (from[i])
      for_lanes(from[i]->lanes, [&](u32 lane) { origin[lane] = from[i]->origin[lane]; });
  // Whether the lane has this result or keeps what it had.
  for_lanes(chosen, [&](u32 lane) {
    bits[lane] = all;
    origin[lane] = guard->origin[lane];
  });
  const auto set = [&](Slot slot, u64 these) {
    clear(warp, slot, lanes);
    for (u64& each : bits) each &= these;
    value(warp, slot).set(touched, bits, origin);
  };
  set(op.slot[0], all);
  if (step.carries || step.pair) {
    for (u64& each : bits) each = each ? 1 : 0;
    set(op.slot[5], 1);
  }
}

Undefined::Bits Undefined::bits_of(const Warp& warp, const Step& step, const Operation& op,
                                   const std::array<Value*, 6>& from) {
  const auto undefined = [&](u32 i) {
    Bits bits{};
    if (from[i] && from[i]->lanes == kAllLanes)
      bits = from[i]->bits;
    else if (from[i])
      for_lanes(from[i]->lanes, [&](u32 lane) { bits[lane] = from[i]->bits[lane]; });
    return bits;
  };
  const auto is = [&](u32 i) { return real(warp, op.slot[i], step.letters[i]); };
  Bits all;
  const auto each = [&](auto&& of_lane) {
    for (u32 lane = 0; lane < kLanes; ++lane) all[lane] = of_lane(lane);
    return all;
  };
  switch (step.rule) {
  case Rule::same:
    return undefined(1);
  case Rule::logical_and: {
    const Bits a = is(1), b = is(2), of_a = undefined(1), of_b = undefined(2);
    return each([&](u32 l) { return (a[l] | of_a[l]) & (b[l] | of_b[l]) & (of_a[l] | of_b[l]); });
  }
  case Rule::logical_or: {
    const Bits a = is(1), b = is(2), of_a = undefined(1), of_b = undefined(2);
    return each([&](u32 l) { return (~a[l] | of_a[l]) & (~b[l] | of_b[l]) & (of_a[l] | of_b[l]); });
  }
  case Rule::logical_xor: {
    const Bits of_a = undefined(1), of_b = undefined(2);
    return each([&](u32 l) { return of_a[l] | of_b[l]; });
  }
  case Rule::table: {
    const Bits value[3] = {is(1), is(2), is(3)};
    const Bits of[3] = {undefined(1), undefined(2), undefined(3)};
    return each([&](u32 l) {
      u64 zero = 0, one = 0; // bits that may be
      for (u32 row = 0; row < 8; ++row) {
        u64 here = ~u64{0};
        for (u32 i = 0; i < 3; ++i)
          here &= of[i][l] | (row >> (2 - i) & 1 ? value[i][l] : ~value[i][l]);
        (op.immediate >> row & 1 ? one : zero) |= here;
      }
      return zero & one;
    });
  }
  case Rule::select: {
    const Bits a = is(1), b = is(2), chooses = is(3);
    const Bits of_a = undefined(1), of_b = undefined(2), open = undefined(3);
    return each([&](u32 l) {
      if (open[l]) return of_a[l] | of_b[l] | (a[l] ^ b[l]);
      return chooses[l] ? of_a[l] : of_b[l];
    });
  }
  case Rule::upward: {
    Bits any{};
    for (u32 i = 1; i < step.letters.size(); ++i)
      if (from[i]) {
        const Bits of = undefined(i);
        for (u32 l = 0; l < kLanes; ++l) any[l] |= of[l];
      }
    return each([&](u32 l) { return ~((any[l] & (0 - any[l])) - 1); });
  }
  case Rule::compare: {
    const bool combines = step.letters.size() > 3;
    const Bits a = is(1), b = is(2), of_a = undefined(1), of_b = undefined(2);
    const Bits with = combines ? is(3) : Bits{}, of_with = combines ? undefined(3) : Bits{};
    const u64 ones = all_bits(step.letters[1]);
    return each([&](u32 l) -> u64 {
      bool open = (of_a[l] | of_b[l]) != 0;
      if (open && step.comparison == '=') open = ((a[l] ^ b[l]) & ~(of_a[l] | of_b[l])) == 0;
      if (open && step.comparison == '<')
        open = !decided(a[l], of_a[l], b[l], of_b[l], ones, step.is_signed);
      // A predicate that decides it alone.
      if (combines && open && !of_with[l] && step.combined == '&' && !with[l]) return 0;
      if (combines && open && !of_with[l] && step.combined == '|' && with[l]) return 0;
      return open || of_with[l];
    });
  }
  default:
    return each([](u32) { return ~u64{0}; });
  }
}

// The operation itself moves the bits: what is moved are masks of undefined ones.
Undefined::Bits Undefined::move_bits(Warp& warp, const Step& step, const Operation& op,
                                     const std::array<Value*, 6>& from) {
  constexpr u32 kRoom = kLanes * 8;
  alignas(64) std::array<std::byte, 6 * kRoom> frame{};
  Operation masks = op;
  u32 unknown = 0; // lanes where nobody knows where to
  for (u32 i = 0; i < step.letters.size(); ++i) {
    masks.slot[i] = i * kRoom;
    const char letter = step.letters[i];
    if (i == 0 || letter == 'i') continue;
    const u32 bytes = bytes_of(letter);
    if (!(step.data >> i & 1)) {
      std::memcpy(&frame[i * kRoom], warp.frame + op.slot[i], std::size_t{bytes} * kLanes);
      if (from[i]) unknown |= from[i]->lanes;
    } else if (from[i]) {
      for_lanes(from[i]->lanes, [&](u32 lane) {
        std::memcpy(&frame[i * kRoom + lane * bytes], &from[i]->bits[lane], bytes);
      });
    }
  }
  std::byte* const registers = std::exchange(warp.frame, frame.data());
  op.execute(warp, masks, kAllLanes);
  Bits moved = real(warp, 0, step.letters[0]);
  warp.frame = registers;
  for_lanes(unknown, [&](u32 lane) { moved[lane] = all_bits(step.letters[0]); });
  return moved;
}

void Undefined::pack(Warp& warp, const Operation& op, u32 lanes, u32 part) {
  std::array<const Value*, 6> parts{};
  u32 any = 0;
  for (u32 p = 0; p < op.immediate; ++p) {
    parts[p] = find(warp, op.slot[p]);
    any |= parts[p] ? parts[p]->lanes & lanes : 0;
  }
  std::array<u64, kLanes> bits{};
  std::array<u32, kLanes> origin{};
  for_lanes(any, [&](u32 lane) {
    for (u32 p = 0; p < op.immediate; ++p) {
      if (!parts[p] || !(parts[p]->lanes >> lane & 1)) continue;
      if (!bits[lane]) origin[lane] = parts[p]->origin[lane];
      bits[lane] |= parts[p]->bits[lane] << (8 * part * p);
    }
  });
  clear(warp, op.slot[kWholeSlot], lanes);
  if (!any) return;
  Value& whole = value(warp, op.slot[kWholeSlot]);
  for_lanes(any, [&](u32 lane) { whole.set(lane, bits[lane], origin[lane]); });
}

void Undefined::unpack(Warp& warp, const Operation& op, u32 lanes, u32 part) {
  const Value* there = find(warp, op.slot[kWholeSlot]);
  const Value whole = there ? *there : Value{};
  for (u32 p = 0; p < op.immediate; ++p) {
    clear(warp, op.slot[p], lanes);
    if (!(whole.lanes & lanes)) continue;
    Value& result = value(warp, op.slot[p]);
    for_lanes(whole.lanes & lanes, [&](u32 lane) {
      result.set(lane, whole.bits[lane] >> (8 * part * p) & (~u64{0} >> (64 - 8 * part)),
                 whole.origin[lane]);
    });
  }
}

void Undefined::before_exchange(Warp& warp, std::uint32_t activation, const Operation& op,
                                u32 lanes) {
  if (warps_[warp.index].empty()) return;
  const Code& code = *warp.activations[activation].code;
  const auto& instruction =
      code.function->body[code.instruction[static_cast<std::size_t>(&op - code.operations.data())]];
  const ptx::Class kind = instruction.row->kind;
  if (kind != ptx::Class::shuffle && kind != ptx::Class::vote) return;
  if (kind == ptx::Class::shuffle) {
    for (const int i : {2, 3})
      if (const Value* control = find(warp, op.slot[static_cast<std::size_t>(i)]);
          control && control->lanes & lanes)
        matters(*control, control->lanes & lanes, Use::other, code, op);
    const Value* there = find(warp, op.slot[1]);
    const Value source = there ? *there : Value{};
    clear(warp, op.slot[0], lanes);
    clear(warp, op.slot[kPairSlot], lanes);
    if (!source.lanes) return;
    const auto from = shuffled_from(warp, op, lanes);
    Value& result = value(warp, op.slot[0]);
    for_lanes(lanes, [&](u32 lane) {
      if (source.lanes >> from[lane] & 1)
        result.set(lane, source.bits[from[lane]], source.origin[from[lane]]);
    });
    return;
  }
  const Value* there = find(warp, op.slot[1]);
  const u32 undefined = there ? there->lanes & lanes : 0;
  u64 bits = 0;
  const auto has = [&](const char* modifier) {
    return std::ranges::count(instruction.modifiers, modifier) > 0;
  };
  if (undefined) {
    const bool votes = instruction.row->opcode == ptx::Opcode::vote;
    const u32 known = votes ? predicate_at(warp.frame, op.slot[1]) & lanes & ~undefined : 0;
    if (votes && has("ballot"))
      bits = undefined;
    else if (votes && has("any"))
      bits = known == 0;
    else if (votes && has("all"))
      bits = known == (lanes & ~undefined);
    else
      bits = ~u64{0};
  }
  const u32 origin = undefined ? there->origin[lowest(undefined)] : 0;
  const bool pairs = kind == ptx::Class::vote && instruction.row->opcode == ptx::Opcode::match;
  clear(warp, op.slot[0], lanes);
  if (pairs) clear(warp, op.slot[kPairSlot], lanes);
  if (!bits) return;
  Value& result = value(warp, op.slot[0]);
  for_lanes(lanes, [&](u32 lane) { result.set(lane, bits, origin); });
  if (!pairs) return;
  Value& second = value(warp, op.slot[kPairSlot]);
  for_lanes(lanes, [&](u32 lane) { second.set(lane, 1, origin); });
}

void Undefined::use_sources(Warp& warp, const Code& code, const Operation& op, u32 lanes) {
  const auto& instruction =
      code.function->body[code.instruction[static_cast<std::size_t>(&op - code.operations.data())]];
  for (const ptx::Register source : ptx::sources(instruction)) {
    const auto slot = code.register_slots.find(source.index);
    if (slot == code.register_slots.end()) continue;
    if (const Value* there = find(warp, slot->second); there && there->lanes & lanes)
      matters(*there, there->lanes & lanes, Use::other, code, op);
  }
}

void Undefined::clear_results(Warp& warp, const Code& code, const Operation& op, u32 lanes) {
  const auto& instruction =
      code.function->body[code.instruction[static_cast<std::size_t>(&op - code.operations.data())]];
  for (const ptx::Register result : ptx::results(instruction))
    if (const auto slot = code.register_slots.find(result.index); slot != code.register_slots.end())
      clear(warp, slot->second, lanes);
}

} // namespace course::emulator
