// Decoding of what works on registers alone: arithmetic, moves, addresses.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace course::emulator {
namespace {

bool is_signed(const std::string& modifier) {
  return modifier.size() > 1 && modifier[0] == 's';
}

struct Parts {
  std::uint32_t whole, number, each; // whole and each in bytes
};

// Of the vector in a mov. Nothing where its type cannot be cut into as many.
std::optional<Parts> parts_of(const ptx::Instruction& instruction, const ptx::Vector& vector) {
  const auto type = ptx::type_named(instruction.modifiers[0]);
  const std::uint32_t whole = type ? ptx::size_of(*type) : 0;
  const auto number = static_cast<std::uint32_t>(vector.elements.size());
  if (number < 2 || number > 4 || whole % number || whole < 2) return std::nullopt;
  return Parts{whole, number, whole / number};
}

} // namespace

void Decoder::need_operands(const Instruction& instruction, std::size_t count) const {
  if (instruction.operands.size() != count)
    refuse(instruction,
           fmt::format("it has {} operands instead of {}", instruction.operands.size(), count));
}

void Decoder::form(const Instruction& instruction, const Form& form) {
  const auto& operands = instruction.operands;
  need_operands(instruction, form.operands.size());
  // Only conversions may have operands wider than their types.
  const bool convert = instruction.row->opcode == ptx::Opcode::cvt;
  std::array<Slot, 6> slot{};
  std::uint32_t number = 0;
  Slot opposite = predicate_sink_;
  Result made;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const char letter = form.operands[i];
    const Operand& operand = operands[i];
    if (letter == 'i') {
      const auto* value = std::get_if<ptx::Immediate>(&operand.value);
      if (!value) refuse(instruction, "its last operand must be a constant");
      number = static_cast<std::uint32_t>(value->bits);
    } else if (i == 0 && letter == 'p') {
      if (const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value)) {
        if (!form.pair) refuse(instruction, "it has one result, not two");
        slot[0] = pair->first ? predicate(instruction, {*pair->first}) : predicate_sink_;
        // The operation writes the second result first: it must not be a source's last use.
        if (pair->second) opposite = predicate(instruction, {*pair->second});
      } else {
        if (operand.negated) refuse(instruction);
        slot[0] = predicate(instruction, operand);
      }
    } else if (letter == 'p') {
      slot[i] = predicate(instruction, operand);
    } else if (i == 0) {
      made = result(instruction, operand, bytes_of_operand(letter));
      if (made.wider_bytes && !convert) refuse(instruction, "its result has the wrong width");
      slot[0] = made.slot;
    } else {
      const auto* reg = std::get_if<ptx::Register>(&operand.value);
      if (reg && !convert && register_bytes(*reg) != bytes_of_operand(letter))
        refuse(instruction, "an operand has the wrong width");
      slot[i] = source(instruction, operand, bytes_of_operand(letter));
    }
  }
  Operation& op = add(form.versions.best());
  op.slot = slot;
  op.immediate = number;
  if (form.carries) {
    if (!carry_) carry_ = allocate_predicate();
    op.slot[5] = carry_;
  } else if (form.pair) {
    op.slot[5] = opposite;
  }
  if (made.wider_bytes) {
    const auto& types = instruction.modifiers;
    const bool sign = types.size() > 1 && is_signed(types[types.size() - 2]);
    extend(made, bytes_of_operand(form.operands[0]), sign);
  }
}

void Decoder::move(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || instruction.modifiers.size() != 1) refuse(instruction);
  if (const auto* vector = std::get_if<ptx::Vector>(&operands[1].value))
    return pack(instruction, *vector);
  if (const auto* vector = std::get_if<ptx::Vector>(&operands[0].value))
    return unpack(instruction, *vector);
  if (const auto* name = std::get_if<ptx::Special>(&operands[1].value)) {
    const bool low = name->name == "clock" || name->name == "globaltimer_lo";
    const bool high = name->name == "clock_hi" || name->name == "globaltimer_hi";
    const bool wide = name->name == "clock64" || name->name == "globaltimer";
    if (low || high || wide) {
      const Result made = result(instruction, operands[0], wide ? 8 : 4);
      if (made.wider_bytes) refuse(instruction);
      Operation& op = add(wide ? read_clock_64 : read_clock_32);
      op.slot[0] = made.slot;
      op.immediate = high ? 32 : 0;
      return;
    }
  }
  if (instruction.modifiers[0] == "b128") {
    const auto* from = std::get_if<ptx::Register>(&operands[1].value);
    if (!from || register_bytes(*from) != 16) refuse(instruction);
    const Slot to = result(instruction, operands[0], 16).slot;
    Operation& op = add(move_128);
    op.slot[0] = to;
    op.slot[1] = register_slot(*from);
    return;
  }
  const Form* found = forms().find(text_of(instruction));
  if (!found) refuse(instruction);
  form(instruction, *found);
}

// A cache policy is read by hints alone, so any value will do.
void Decoder::cache_policy(const Instruction& instruction) {
  if (instruction.operands.empty()) refuse(instruction);
  const Result made = result(instruction, instruction.operands[0], 8);
  if (made.wider_bytes) refuse(instruction);
  add(make_policy).slot[0] = made.slot;
}

void Decoder::pack(const Instruction& instruction, const ptx::Vector& vector) {
  const auto cut = parts_of(instruction, vector);
  if (!cut) refuse(instruction);
  const auto [whole, parts, part] = *cut;
  std::array<Slot, 6> slot{};
  for (std::uint32_t p = 0; p < parts; ++p) slot[p] = source(instruction, vector.elements[p], part);
  const Result made = result(instruction, instruction.operands[0], whole);
  if (made.wider_bytes) refuse(instruction);
  slot[kWholeSlot] = made.slot;
  Operation& op = add(packer(part));
  op.slot = slot;
  op.immediate = parts;
}

void Decoder::unpack(const Instruction& instruction, const ptx::Vector& vector) {
  const auto cut = parts_of(instruction, vector);
  if (!cut) refuse(instruction);
  const auto [whole, parts, part] = *cut;
  std::array<Slot, 6> slot{};
  slot[kWholeSlot] = source(instruction, instruction.operands[1], whole);
  std::array<Result, 4> made;
  for (std::uint32_t p = 0; p < parts; ++p) {
    made[p] = result(instruction, vector.elements[p], part);
    slot[p] = made[p].slot;
  }
  Operation& op = add(unpacker(part));
  op.slot = slot;
  op.immediate = parts;
  for (std::uint32_t p = 0; p < parts; ++p) extend(made[p], part, false);
}

// cvta: between an address in a space and the generic one.
void Decoder::convert_address(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  const bool to = modifiers.take("to");
  std::uint64_t window = 0;
  if (modifiers.take_any({"shared", "shared::cta", "shared::cluster"}))
    window = kSharedWindow;
  else if (modifiers.take("local"))
    window = kLocalWindow;
  else if (modifiers.take("const"))
    window = kConstantWindow;
  else if (modifiers.take("param"))
    window = kParameterWindow;
  else if (!modifiers.take("global"))
    refuse(instruction);
  if (!modifiers.take("u64") || modifiers.left() || instruction.operands.size() != 2)
    refuse(instruction);
  const Slot from = source(instruction, instruction.operands[1], 8);
  const Result made = result(instruction, instruction.operands[0], 8);
  Operation& op = add(forms().find(to ? "sub.u64" : "add.u64")->versions.best());
  op.slot[0] = made.slot;
  op.slot[1] = from;
  op.slot[2] = constant(window, 8);
}

void Decoder::test_space(const Instruction& instruction) { // isspacep
  Modifiers modifiers(instruction);
  Execute test = nullptr;
  if (modifiers.take("shared::cluster"))
    test = window_test(kSharedWindow);
  else if (modifiers.take_any({"shared", "shared::cta"}))
    test = in_own_shared;
  else if (modifiers.take("local"))
    test = window_test(kLocalWindow);
  else if (modifiers.take("const"))
    test = window_test(kConstantWindow);
  else if (modifiers.take("global"))
    test = window_test(0);
  else
    refuse(instruction);
  if (modifiers.left() || instruction.operands.size() != 2) refuse(instruction);
  const Slot from = source(instruction, instruction.operands[1], 8);
  const Slot to = predicate(instruction, instruction.operands[0]);
  Operation& op = add(test);
  op.slot[0] = to;
  op.slot[1] = from;
}

} // namespace course::emulator
