// Decoding of what a warp does as a whole with matrices: ldmatrix, stmatrix, mma.sync.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/decode/windows.hpp"

namespace course::emulator {

// A place for several registers side by side, and what is in them.
Slot Decoder::gather(const Instruction& instruction, const Operand& list, std::size_t count) {
  const std::vector<Operand> registers = components(list);
  if (registers.size() != count) refuse(instruction);
  const Slot area = allocate(static_cast<std::uint32_t>(4 * count));
  for (std::size_t i = 0; i < count; ++i) {
    const Slot from = source(instruction, registers[i], 4);
    copy_register(area + static_cast<Slot>(4 * kLanes * i), from);
  }
  return area;
}

void Decoder::scatter(const Instruction& instruction, const Operand& list, Slot area,
                      std::size_t count) {
  const std::vector<Operand> registers = components(list);
  if (registers.size() != count) refuse(instruction);
  for (std::size_t i = 0; i < count; ++i) {
    const Result made = result(instruction, registers[i], 4);
    copy_register(made.slot, area + static_cast<Slot>(4 * kLanes * i));
    extend(made, 4, false);
  }
}

void Decoder::copy_register(Slot to, Slot from, std::uint32_t bytes) {
  Operation& op = add(forms().find(bytes == 8 ? "mov.b64" : "mov.b32")->versions.best());
  op.slot[0] = to;
  op.slot[1] = from;
}

// The operation waits until all lanes of the warp have come.
Operation& Decoder::add_for_whole_warp(Execute execute, std::uint32_t site) {
  RendezvousUse use;
  use.members = constant(kAllLanes, 4);
  use.site = site;
  Operation& op = add(execute, OperationKind::rendezvous);
  op.target = static_cast<std::uint32_t>(code_->rendezvous.size());
  code_->rendezvous.push_back(use);
  return op;
}

void Decoder::matrix_access(const Instruction& instruction) {
  const bool load = instruction.row->kind == ptx::Class::matrix_load;
  Modifiers modifiers(instruction);
  const bool expected = modifiers.take("sync") && modifiers.take("aligned") &&
                        modifiers.take("m8n8") && modifiers.take("b16");
  const bool transposed = modifiers.take("trans");
  std::uint32_t matrices = 0;
  for (const std::uint32_t count : {1u, 2u, 4u})
    if (modifiers.take("x" + std::to_string(count))) matrices = count;
  const bool in_shared = modifiers.take_any({"shared", "shared::cta"});
  if (!expected || modifiers.left() || matrices == 0 || instruction.operands.size() != 2)
    refuse(instruction);
  const auto* memory = std::get_if<ptx::Memory>(&instruction.operands[load ? 1 : 0].value);
  if (!memory) refuse(instruction);

  MemoryOperand access;
  access.space = ptx::Space::shared;
  access.direction = load ? Direction::load : Direction::store;
  access.element = 16; // a row
  point(instruction, access, *memory);
  if (!in_shared) access.offset -= static_cast<std::int64_t>(kSharedWindow); // a generic address
  access.value[0] = sink(16);
  access.kind = load ? model::RequestKind::ldmatrix : model::RequestKind::stmatrix;
  access.counted_width = static_cast<std::uint8_t>(4 * matrices);
  access.reported = {access.kind, access.counted_width};
  access.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
  code_->accesses.push_back(access);
  MemoryOperand& kept = code_->accesses.back();
  kept.id = add_site(instruction, &kept);

  const Operand& registers = instruction.operands[load ? 0 : 1];
  const Slot area = load ? allocate(4 * matrices) : gather(instruction, registers, matrices);
  Operation& op =
      add_for_whole_warp(load ? matrix_load(transposed) : matrix_store(transposed), kept.id);
  op.access = &kept;
  op.slot[0] = area;
  op.immediate = matrices;
  if (load) scatter(instruction, registers, area, matrices);
}

void Decoder::matrix_product(const Instruction& instruction) {
  std::string modifiers;
  for (const std::string& modifier : instruction.modifiers)
    modifiers += (modifiers.empty() ? "" : ".") + modifier;
  const MatrixProduct product = emulator::matrix_product(modifiers);
  if (!product.execute) return tile_product(instruction);
  if (instruction.operands.size() != 4) refuse(instruction);
  const Slot a =
      gather(instruction, instruction.operands[1], static_cast<std::size_t>(product.of_a));
  const Slot b =
      gather(instruction, instruction.operands[2], static_cast<std::size_t>(product.of_b));
  const Slot c = gather(instruction, instruction.operands[3], 4);
  const Slot d = allocate(16);
  const std::uint32_t site = add_site(instruction, nullptr);
  Operation& op = add_for_whole_warp(product.execute, site);
  op.slot = {d, a, b, c};
  op.immediate = site;
  scatter(instruction, instruction.operands[0], d, 4);
}

} // namespace course::emulator
