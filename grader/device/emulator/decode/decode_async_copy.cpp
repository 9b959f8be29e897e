// Decoding of cp.async: the copy, and what commits and waits.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"

#include <algorithm>

namespace course::emulator {

std::uint64_t Decoder::number(const Instruction& instruction, const Operand& operand) const {
  const auto* value = std::get_if<ptx::Immediate>(&operand.value);
  if (!value) refuse(instruction, "it needs a constant");
  return value->bits;
}

void Decoder::copy_step(const Instruction& instruction) {
  using O = ptx::Opcode;
  Modifiers modifiers(instruction);
  modifiers.take_any({"async", "commit_group", "wait_group", "wait_all"});
  const bool counts = instruction.row->opcode == O::cp_async_wait_group;
  if (modifiers.left() || instruction.operands.size() != (counts ? 1 : 0)) refuse(instruction);
  if (instruction.row->opcode == O::cp_async_commit_group) {
    add(commit_copies);
  } else if (!counts) {
    add(wait_for_all);
  } else {
    const auto groups = std::min<std::uint64_t>(number(instruction, instruction.operands[0]), 64);
    add(wait_for_groups).immediate = static_cast<std::uint32_t>(groups);
  }
}

void Decoder::async_copy(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  Modifiers left(instruction);
  const bool around_l1 = instruction.row->opcode == ptx::Opcode::cp_async_cg;
  if (!left.take("async") || !left.take_any({"ca", "cg"}) ||
      !left.take_any({"shared", "shared::cta"}) || !left.take("global"))
    refuse(instruction);
  left.take_any({"L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"});
  if (left.left() || operands.size() < 3) refuse(instruction);
  const std::uint64_t bytes = number(instruction, operands[2]);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (around_l1 && bytes != 16)) refuse(instruction);
  const auto* to = std::get_if<ptx::Memory>(&operands[0].value);
  const auto* from = std::get_if<ptx::Memory>(&operands[1].value);
  if (!to || !from) refuse(instruction);

  const auto keep = [&](MemoryOperand access) {
    access.element = access.counted_width = static_cast<std::uint8_t>(bytes);
    access.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
    code_->accesses.push_back(access);
    MemoryOperand& kept = code_->accesses.back();
    kept.id = add_site(instruction, &kept);
    return &kept;
  };
  MemoryOperand source_side;
  source_side.space = ptx::Space::global;
  source_side.goes_on = true;
  point(instruction, source_side, *from);
  source_side.kind = model::RequestKind::global_load;
  source_side.value[0] = sink(16);
  MemoryOperand target_side;
  target_side.space = ptx::Space::shared;
  target_side.direction = Direction::store;
  point(instruction, target_side, *to);
  target_side.kind = model::RequestKind::cp_async;
  target_side.around_l1 = around_l1;
  target_side.reported = {model::RequestKind::cp_async, static_cast<int>(bytes), around_l1};
  target_side.global = keep(source_side);
  const Slot size = operands.size() > 3 ? source(instruction, operands[3], 4) : constant(bytes, 4);
  if (operands.size() > 3) {
    const auto* count = std::get_if<ptx::Immediate>(&operands[3].value);
    target_side.any_count = !count || (count->bits != 0 && count->bits != bytes);
  }
  const MemoryOperand* kept = keep(target_side);
  Operation& op = add(start_copy);
  op.access = kept;
  op.slot[1] = size;
}

} // namespace course::emulator
