// Long, because each way of an instruction with bits takes a few lines, and all share what is kept
// of registers.
#include "device/emulator/check/undefined.hpp"

#include "device/code/ptx/registers.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/block.hpp"
#include "device/emulator/execute/exchange.hpp"
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/lanes.hpp"
#include "device/emulator/execute/launch.hpp"
#include "device/emulator/execute/memory_ops.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace course::emulator {
namespace {

constexpr std::size_t kMostOrigins = 1u << 18; // of a block; then each read is judged by itself
constexpr int kWholeSlot = 5;                  // of pack and unpack: decode_lanes.cpp

u32 bytes_of(char letter) {
  return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'w' ? 4 : 8;
}
u64 all_bits(char letter) {
  return letter == 'p' ? 1 : ~u64{0} >> (64 - 8 * bytes_of(letter));
}

template <typename F>
void for_lanes(u32 lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(lowest(lanes));
}

// What arithmetic an operation is: the first name, of all that mean the same.
struct Named {
  std::string name;
  const Form* form = nullptr;
};
const std::unordered_map<Execute, Named>& named_forms() {
  static const std::unordered_map<Execute, Named> all = [] {
    std::unordered_map<Execute, Named> made;
    for (const auto& [name, form] : forms().all()) {
      Named& named = made[form.versions.best()];
      if (named.name.empty() || name < named.name) named = {name, &form};
    }
    return made;
  }();
  return all;
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const auto end = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_integer(std::string_view type) {
  const auto bits = type.size() < 2 ? std::string_view() : type.substr(1);
  return (type[0] == 'u' || type[0] == 's' || type[0] == 'b') &&
         (bits == "8" || bits == "16" || bits == "32" || bits == "64");
}

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

} // namespace

// ---- instructions

Undefined::Step Undefined::made_step(const Code& code, const Operation& op) {
  Step step;
  const auto at = code.instruction[static_cast<std::size_t>(&op - code.operations.data())];
  if (at >= code.function->body.size()) return step;
  const ptx::Instruction& instruction = code.function->body[at];
  using C = ptx::Class;
  const C kind = instruction.row->kind;
  const bool moves = kind == C::load || kind == C::store;
  const bool followed = moves || kind == C::compute || kind == C::branch || kind == C::leave ||
                        kind == C::shuffle || kind == C::vote || kind == C::call;
  step.sinks = (!followed || kind == C::call) && op.counted;
  if (op.kind == Kind::branch || op.kind == Kind::indirect_branch) {
    step.rule = Rule::branch;
    return step;
  }
  if (op.kind != Kind::lanes) return step;
  if (moves && op.access && op.execute == memory_operation(*op.access)) {
    step.rule = kind == C::load ? Rule::load : Rule::store;
    return step;
  }
  const auto found = named_forms().find(op.execute);
  if (found == named_forms().end()) {
    if (kind != C::compute) return step;
    const bool moves_parts = instruction.row->opcode == ptx::Opcode::mov;
    const auto is_vector = [&](std::size_t i) {
      return i < instruction.operands.size() &&
             std::holds_alternative<ptx::Vector>(instruction.operands[i].value);
    };
    if (moves_parts && is_vector(1))
      step.rule = Rule::pack;
    else if (moves_parts && is_vector(0))
      step.rule = Rule::unpack;
    else
      step.sinks = op.counted;
    return step;
  }

  const Named& named = found->second;
  step.letters = named.form->operands;
  step.carries = named.form->carries;
  step.pair = named.form->pair;
  step.rule = Rule::all;
  if (step.carries) return step;
  const std::vector<std::string> parts = split(named.name);
  const std::string& type = parts.back();
  const auto has = [&](std::string_view part) {
    return std::find(parts.begin() + 1, parts.end(), part) != parts.end();
  };
  step.is_signed = type[0] == 's';
  const bool integers = std::all_of(parts.begin() + 1, parts.end(), is_integer);
  const auto moved = [&](std::uint8_t data) {
    step.rule = Rule::moved;
    step.data = data;
  };
  using O = ptx::Opcode;
  switch (ptx::row_of(parts[0], std::span(parts).subspan(1)).opcode) {
  case O::mov:
  case O::not_:
    step.rule = Rule::same;
    break;
  case O::and_:
    step.rule = Rule::logical_and;
    break;
  case O::or_:
    step.rule = Rule::logical_or;
    break;
  case O::xor_:
    step.rule = Rule::logical_xor;
    break;
  case O::lop3:
    if (step.letters.size() == 5) step.rule = Rule::table;
    break;
  case O::selp:
    step.rule = Rule::select;
    break;
  case O::shl:
  case O::shr:
  case O::bfe:
  case O::brev:
    moved(1u << 1);
    break;
  case O::unknown: // what extends a value to its register
  case O::cvt:
    if (integers) moved(1u << 1);
    break;
  case O::bfi:
  case O::prmt:
  case O::shf:
    moved(1u << 1 | 1u << 2);
    break;
  case O::add:
  case O::sub:
  case O::neg:
    if (integers) step.rule = Rule::upward;
    break;
  case O::mul:
  case O::mad:
    if ((has("lo") || has("wide")) && is_integer(type)) step.rule = Rule::upward;
    break;
  case O::setp: {
    step.rule = Rule::compare;
    const bool equal = parts[1] == "eq" || parts[1] == "ne";
    step.comparison = !is_integer(type) ? 0 : equal ? '=' : '<';
    step.combined = has("and") ? '&' : has("or") ? '|' : '^';
    break;
  }
  default:
    break;
  }
  return step;
}

const Undefined::Step& Undefined::step_of(const Code& code, const Operation& op) {
  auto& steps = steps_[&code];
  if (steps.empty()) steps.resize(code.operations.size());
  auto& step = steps[static_cast<std::size_t>(&op - code.operations.data())];
  if (!step) step = made_step(code, op);
  return *step;
}

// ---- values

void Undefined::begin_block() {
  origins_.clear();
  open_.clear();
  shared_.clear();
  warps_.resize(block_.warps.size());
  for (Values& values : warps_) values.clear();
}

namespace {

u32 position(const Warp& warp, Slot slot) {
  return static_cast<u32>(warp.frame - warp.registers[0].bytes) + slot;
}

} // namespace

Undefined::Value* Undefined::find(const Warp& warp, Slot slot) {
  auto& values = warps_[warp.index];
  const auto found = values.find(position(warp, slot));
  return found == values.end() || !found->second.lanes ? nullptr : &found->second;
}

Undefined::Value& Undefined::value(const Warp& warp, Slot slot) {
  return warps_[warp.index][position(warp, slot)];
}

void Undefined::clear(const Warp& warp, Slot slot, u32 lanes) {
  if (Value* there = find(warp, slot)) there->lanes &= ~lanes;
}

u64 Undefined::real(const Warp& warp, Slot slot, char letter, u32 lane) {
  if (letter == 'p') return predicate_at(warp.frame, slot) >> lane & 1;
  u64 value = 0;
  const u32 bytes = bytes_of(letter);
  std::memcpy(&value, warp.frame + slot + std::size_t{lane} * bytes, bytes);
  return value;
}

// ---- steps

void Undefined::before(Warp& warp, const Split& split, const Operation& op, u32 lanes) {
  if (warps_[warp.index].empty()) return;
  const Code& code = *warp.activations[split.activation].code;
  const Step& step = step_of(code, op);
  const Value* guard = op.guard_kind == GuardKind::none ? nullptr : find(warp, op.guard);
  const u32 chosen = guard ? guard->lanes & split.lanes : 0;
  if (step.rule == Rule::branch) {
    if (chosen) matters(*guard, chosen, Use::branch, code, op);
    if (op.kind == Kind::indirect_branch)
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
    const Access& access = *op.access;
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
  std::array<u64, kLanes> bits{};
  std::array<u32, kLanes> origin{};
  if (step.rule == Rule::moved && any) move_bits(warp, step, op, from, any, bits);
  for_lanes(any, [&](u32 lane) {
    if (step.rule != Rule::moved) bits[lane] = bits_of(warp, step, op, from, lane) & all;
    for (const Value* each : from)
      if (each && each->lanes >> lane & 1) {
        origin[lane] = each->origin[lane];
        break;
      }
  });
  // Whether the lane has this result or keeps what it had.
  for_lanes(chosen, [&](u32 lane) {
    bits[lane] = all;
    origin[lane] = guard->origin[lane];
  });
  const auto set = [&](Slot slot, u64 these) {
    clear(warp, slot, lanes);
    Value& result = value(warp, slot);
    for_lanes(touched, [&](u32 lane) { result.set(lane, bits[lane] & these, origin[lane]); });
  };
  set(op.slot[0], all);
  if (step.carries || step.pair) {
    for_lanes(touched, [&](u32 lane) { bits[lane] = bits[lane] ? 1 : 0; });
    set(op.slot[5], 1);
  }
}

u64 Undefined::bits_of(const Warp& warp, const Step& step, const Operation& op,
                       const std::array<Value*, 6>& from, u32 lane) const {
  const auto undefined = [&](u32 i) {
    return from[i] && from[i]->lanes >> lane & 1 ? from[i]->bits[lane] : 0;
  };
  const auto is = [&](u32 i) { return real(warp, op.slot[i], step.letters[i], lane); };
  switch (step.rule) {
  case Rule::same:
    return undefined(1);
  case Rule::logical_and:
    return (is(1) | undefined(1)) & (is(2) | undefined(2)) & (undefined(1) | undefined(2));
  case Rule::logical_or:
    return (~is(1) | undefined(1)) & (~is(2) | undefined(2)) & (undefined(1) | undefined(2));
  case Rule::logical_xor:
    return undefined(1) | undefined(2);
  case Rule::table: {
    u64 zero = 0, one = 0; // bits that may be
    for (u32 row = 0; row < 8; ++row) {
      u64 here = ~u64{0};
      for (u32 i = 0; i < 3; ++i)
        here &= undefined(i + 1) | (row >> (2 - i) & 1 ? is(i + 1) : ~is(i + 1));
      (op.immediate >> row & 1 ? one : zero) |= here;
    }
    return zero & one;
  }
  case Rule::select: {
    if (undefined(3)) return undefined(1) | undefined(2) | (is(1) ^ is(2));
    return is(3) ? undefined(1) : undefined(2);
  }
  case Rule::upward: {
    u64 any = 0;
    for (u32 i = 1; i < step.letters.size(); ++i) any |= undefined(i);
    return ~((any & (0 - any)) - 1);
  }
  case Rule::compare: {
    const bool combines = step.letters.size() > 3;
    const u64 a = undefined(1), b = undefined(2), with = combines ? undefined(3) : 0;
    bool open = (a | b) != 0;
    if (open && step.comparison == '=') open = ((is(1) ^ is(2)) & ~(a | b)) == 0;
    if (open && step.comparison == '<')
      open = !decided(is(1), a, is(2), b, all_bits(step.letters[1]), step.is_signed);
    if (!combines) return open;
    // A predicate that decides it alone.
    if (open && !with && step.combined == '&' && !is(3)) return 0;
    if (open && !with && step.combined == '|' && is(3)) return 0;
    return open || with;
  }
  default:
    return ~u64{0};
  }
}

// The operation itself moves the bits: what is moved are masks of undefined ones.
void Undefined::move_bits(Warp& warp, const Step& step, const Operation& op,
                          const std::array<Value*, 6>& from, u32 lanes,
                          std::array<u64, kLanes>& moved) {
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
  warp.frame = registers;
  const u32 bytes = bytes_of(step.letters[0]);
  for_lanes(lanes, [&](u32 lane) {
    std::memcpy(&moved[lane], &frame[lane * bytes], bytes);
    if (unknown >> lane & 1) moved[lane] = all_bits(step.letters[0]);
  });
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

// ---- memory

u32 Undefined::add(Origin origin) {
  const auto number = static_cast<u32>(origins_.size());
  if (origin.state == Origin::State::open) open_.push_back(number);
  origins_.push_back(origin);
  // No more are followed.
  if (number >= kMostOrigins) matters(number, Use::other, {});
  return number;
}

void Undefined::bring(Warp& warp, const Access& access, u32 lane, u32 origin,
                      const std::uint8_t* undefined) {
  if (access.element > 8) return matters(origin, Use::other, {});
  for (u32 c = 0; c < access.components; ++c) {
    u64 bits = 0;
    std::memcpy(&bits, undefined + std::size_t{c} * access.element, access.element);
    if (bits) value(warp, access.value[c]).set(lane, bits, origin);
  }
  warp.watched = true;
}

void Undefined::load_shared(Warp& warp, const Access& access, u32 lanes, const LaneOffsets& at) {
  const Shadow& shadow = block_.shared.shadow();
  const u32 reserved = block_.shared.layout().reserved_bytes();
  for_lanes(lanes, [&](u32 lane) {
    std::array<std::uint8_t, 64> undefined{};
    std::optional<u32> origin;
    Origin made;
    for (u32 b = access.width(); b-- > 0;) {
      const u32 offset = at.of[lane] + b;
      if (!shadow.writer_at(offset) && offset >= reserved && !block_.remote.has_written(offset)) {
        undefined[b] = 0xff;
        if (access.element <= 8)
          warp.frame[access.value[b / access.element] + lane * access.element +
                     b % access.element] = std::byte{0xff};
        made.granule_at = offset;
        made.state = Origin::State::open;
      } else if (const auto kept = shared_.find(offset); kept != shared_.end()) {
        undefined[b] = kept->second.bits;
        origin = kept->second.origin;
      }
    }
    if (made.state == Origin::State::open) {
      made.width = static_cast<std::uint8_t>(access.width());
      made.lane = lane;
      made.warp = &warp;
      made.access = &access;
      made.at = at.of[lane];
      origin = add(made);
    }
    if (origin) bring(warp, access, lane, *origin, undefined.data());
  });
}

void Undefined::load_local(Warp& warp, const Access& access, u32 lane, u32 offset,
                           const std::uint8_t* defined) {
  Origin made;
  made.width = static_cast<std::uint8_t>(access.width());
  made.lane = lane;
  made.warp = &warp;
  made.access = &access;
  made.at = offset;
  std::array<std::uint8_t, 64> undefined{};
  for (u32 b = 0; b < access.width(); ++b) undefined[b] = static_cast<std::uint8_t>(~defined[b]);
  bring(warp, access, lane, add(made), undefined.data());
}

void Undefined::load_global(Warp& warp, const Access& access, u32 lane, const Allocation& memory,
                            u64 offset) {
  Origin made;
  made.width = static_cast<std::uint8_t>(access.width());
  made.lane = lane;
  made.warp = &warp;
  made.access = &access;
  made.at = memory.base + offset;
  std::array<std::uint8_t, 64> undefined{};
  for (u32 b = 0; b < access.width(); ++b)
    undefined[b] = memory.is_written(offset + b, 1) ? 0 : 0xff;
  bring(warp, access, lane, add(made), undefined.data());
}

void Undefined::store_shared(Warp& warp, const Access& access, u32 lanes, const LaneOffsets& at) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there) continue;
    for_lanes(there->lanes & lanes, [&](u32 lane) {
      for (u32 b = 0; b < access.element; ++b)
        if (const auto bits = static_cast<std::uint8_t>(there->bits[lane] >> (8 * b)))
          shared_[at.of[lane] + c * access.element + b] = {bits, there->origin[lane]};
    });
  }
  block_.keeps_undefined = keeps_shared();
}

void Undefined::store_local(Warp& warp, const Access& access, u32 lane, std::uint8_t* defined) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there || !(there->lanes >> lane & 1)) continue;
    const u64 bits = ~there->bits[lane];
    std::memcpy(defined + std::size_t{c} * access.element, &bits, std::min<u32>(access.element, 8));
  }
}

void Undefined::store_global(Warp& warp, const Access& access, u32 lanes, const LaneAddresses& at) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there) continue;
    for_lanes(there->lanes & lanes, [&](u32 lane) {
      const Origin& origin = origins_[there->origin[lane]];
      for (u32 b = 0; b < access.element && b < 8; ++b) {
        const u64 bits = there->bits[lane] >> (8 * b) & 0xff;
        const u64 address = at.of[lane] + c * access.element + b;
        const bool its_own = bits != 0xff && origin.access->space == ptx::Space::global &&
                             address >= origin.at && address - origin.at < origin.width;
        if (bits && !its_own)
          return matters(there->origin[lane], Use::store,
                         block_.launch->program->sites()[access.id].source);
      }
    });
  }
}

void Undefined::overwrite(const Access& access, u32 lanes, const LaneOffsets& at) {
  for_lanes(lanes, [&](u32 lane) {
    for (u32 b = 0; b < access.width(); ++b) shared_.erase(at.of[lane] + b);
  });
  block_.keeps_undefined = keeps_shared();
}

u32 Undefined::reads(const Access& access, u32 lanes, const LaneOffsets& at) const {
  u32 found = 0;
  for_lanes(lanes, [&](u32 lane) {
    for (u32 b = 0; b < access.width(); ++b)
      if (shared_.contains(at.of[lane] + b)) found |= 1u << lane;
  });
  return found;
}

void Undefined::read_by_others(u32 offset, u32 bytes) {
  for (u32 b = 0; b < bytes; ++b)
    if (const auto kept = shared_.find(offset + b); kept != shared_.end())
      matters(kept->second.origin, Use::other, {});
}

// ---- calls

void Undefined::load_parameter(Warp& warp, const Access& access, u32 lanes) {
  for (u32 c = 0; c < access.components; ++c) {
    for (u32 b = 0; b < access.element && b < 8; ++b) {
      const auto byte = static_cast<Slot>(access.area + access.offset + c * access.element + b);
      const Value* there = find(warp, byte);
      if (!there || !(there->lanes & lanes)) continue;
      const Value from = *there;
      Value& result = value(warp, access.value[c]);
      for_lanes(from.lanes & lanes, [&](u32 lane) {
        const u64 before = result.lanes >> lane & 1 ? result.bits[lane] : 0;
        result.set(lane, before | from.bits[lane] << (8 * b), from.origin[lane]);
      });
    }
  }
}

void Undefined::store_parameter(Warp& warp, const Access& access, u32 lanes) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    const Value from = there ? *there : Value{};
    for (u32 b = 0; b < access.element && b < 8; ++b) {
      const auto byte = static_cast<Slot>(access.area + access.offset + c * access.element + b);
      clear(warp, byte, lanes);
      if (!(from.lanes & lanes)) continue;
      Value& result = value(warp, byte);
      for_lanes(from.lanes & lanes, [&](u32 lane) {
        result.set(lane, from.bits[lane] >> (8 * b) & 0xff, from.origin[lane]);
      });
    }
  }
}

void Undefined::call(Warp& warp, const Activation& caller, const Activation& callee,
                     const CallUse& use) {
  Values& values = warps_[warp.index];
  const u32 from = static_cast<u32>(caller.frame * sizeof(Warp::Line));
  const u32 to = static_cast<u32>(callee.frame * sizeof(Warp::Line));
  std::erase_if(values, [&](const auto& each) {
    return each.first >= to && each.first - to < callee.code->frame_bytes;
  });
  for (std::size_t i = 0; i < use.arguments.size(); ++i) {
    const CallUse::Copy &mine = use.arguments[i], &theirs = callee.code->argument_areas[i];
    for (u32 b = 0; b < std::min(mine.bytes, theirs.bytes); ++b) {
      const auto there = values.find(from + mine.area + b);
      if (there == values.end() || !(there->second.lanes & callee.lanes)) continue;
      Value copy = there->second;
      copy.lanes &= callee.lanes;
      values[to + theirs.area + b] = copy;
    }
  }
}

void Undefined::leave(Warp& warp, const Activation& callee, const Activation& caller,
                      const CallUse& use, u32 lanes) {
  Values& values = warps_[warp.index];
  const u32 from = static_cast<u32>(callee.frame * sizeof(Warp::Line));
  const u32 to = static_cast<u32>(caller.frame * sizeof(Warp::Line));
  for (std::size_t i = 0; i < use.results.size(); ++i) {
    const CallUse::Copy &mine = callee.code->result_areas[i], &theirs = use.results[i];
    for (u32 b = 0; b < std::min(mine.bytes, theirs.bytes); ++b) {
      const auto there = values.find(from + mine.area + b);
      const Value copy = there == values.end() ? Value{} : there->second;
      const auto target = values.find(to + theirs.area + b);
      if (!(copy.lanes & lanes) && target == values.end()) continue;
      Value& result = values[to + theirs.area + b];
      result.lanes &= ~lanes;
      for_lanes(copy.lanes & lanes,
                [&](u32 lane) { result.set(lane, copy.bits[lane], copy.origin[lane]); });
    }
  }
}

// ---- what it comes to

void Undefined::matters(const Value& value, u32 lanes, Use use, const Code& code,
                        const Operation& op) {
  const auto at = code.instruction[static_cast<std::size_t>(&op - code.operations.data())];
  for_lanes(lanes,
            [&](u32 lane) { matters(value.origin[lane], use, code.function->body[at].source); });
}

void Undefined::matters(u32 number, Use use, ptx::SourceLine where) {
  Origin& origin = origins_[number];
  if (origin.state == Origin::State::settled || origin.used) return;
  origin.used = use;
  origin.used_at = where;
  if (origin.state == Origin::State::real) report(origin);
}

void Undefined::judge() {
  for (const u32 number : open_) {
    Origin& origin = origins_[number];
    if (!block_.shared.shadow().is_unwritten(origin.granule_at, *origin.warp, origin.lane)) {
      origin.state = Origin::State::settled;
      continue;
    }
    origin.state = Origin::State::real;
    if (origin.used) report(origin);
  }
  open_.clear();
}

void Undefined::report(Origin& origin) {
  origin.state = Origin::State::settled;
  const Access& access = *origin.access;
  block_.report(
      device::FindingKind::uninitialised, access.id, kNone, *origin.warp, origin.lane, [&] {
        const auto said = [&] {
          if (access.space == ptx::Space::local) return Message(Says::unwritten_local, origin.at);
          if (access.space == ptx::Space::shared)
            return unwritten(Message(Says::reads, block_.shared.layout().describe(
                                                      static_cast<u32>(origin.at), origin.width)));
          const Allocation* memory = block_.launch->memory->find(origin.at);
          return unwritten(
              Message(Says::reads, memory ? memory->element(origin.at - memory->base, origin.width)
                                          : block_.launch->memory->describe(origin.at)));
        };
        const auto& read_at = block_.launch->program->sites()[access.id].source;
        const auto& line = origin.used_at;
        if (!line.line || line.file != read_at.file || line.line == read_at.line) return said();
        const Says how = *origin.used == Use::branch    ? Says::undefined_branch
                         : *origin.used == Use::address ? Says::undefined_address
                         : *origin.used == Use::store   ? Says::undefined_stored
                                                        : Says::undefined_used;
        return Message(how, said(), line.line);
      });
}

} // namespace course::emulator
