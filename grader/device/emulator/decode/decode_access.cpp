// What all accesses to memory have: where they point, and their place in the source; and those that
// have no more than an action.
#include "device/emulator/decode/decoder.hpp"

#include <fmt/format.h>

namespace course::emulator {

std::vector<ptx::Operand> Decoder::components(const Operand& operand) const {
  if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) return vector->elements;
  return {operand};
}

std::uint32_t Decoder::add_site(const Instruction& instruction, const MemoryOperand* access) {
  return add_site(instruction, access, static_cast<std::uint32_t>(code_->operations.size()));
}

std::uint32_t Decoder::add_site(const Instruction& instruction, const MemoryOperand* access,
                                std::uint32_t operation) {
  const auto id = static_cast<std::uint32_t>(program_.sites_.size());
  if (id >= kMostSites) refuse(instruction, "the module has too many memory accesses");
  program_.sites_.push_back({code_.get(), access, operation, instruction.source, {}});
  return id;
}

// Where an access points: base register and offset.
void Decoder::point(const Instruction& instruction, MemoryOperand& access,
                    const ptx::Memory& memory) {
  if (!memory.coordinates.empty()) refuse(instruction);
  access.offset = memory.offset;
  access.has_base = false;
  if (const auto* reg = std::get_if<ptx::Register>(&memory.base)) {
    const std::uint32_t bytes = register_bytes(*reg);
    if (bytes != 4 && bytes != 8) refuse(instruction, "an address has 32 or 64 bits");
    access.has_base = true;
    access.wide_base = bytes == 8;
    access.base = register_slot(*reg);
  } else if (const auto* name = std::get_if<ptx::Symbol>(&memory.base)) {
    if (local_offsets_.contains(name->name)) {
      access.has_base = access.wide_base = true;
      access.base = symbol(instruction, *name, 8);
      return;
    }
    const auto address = program_.address_of(name->name);
    if (!address)
      refuse(instruction, fmt::format("'{}' is not defined in this module", name->name));
    access.offset += static_cast<std::int64_t>(*address) + name->offset;
  }
}

const MemoryOperand* Decoder::keep_access(const Instruction& instruction,
                                          const MemoryOperand& access) {
  MemoryOperand& kept = code_->accesses.emplace_back(access);
  kept.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
  kept.id = add_site(instruction, &kept);
  return &kept;
}

void Decoder::act_on_memory(const Instruction& instruction) {
  const MemoryAction* action = memory_action(text_of(instruction));
  if (!action) refuse(instruction);
  const std::string_view letters = action->operands;
  need_operands(instruction, letters.size());
  MemoryOperand access;
  access.space = action->space;
  access.direction = action->direction;
  access.element = action->element;
  access.components = action->components;
  std::array<Slot, 6> slot{};
  std::uint64_t constant = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (letters[i] == 'a') {
      const auto* memory = std::get_if<ptx::Memory>(&operand.value);
      if (!memory) refuse(instruction, "it has no address");
      point(instruction, access, *memory);
    } else if (letters[i] == 'i') {
      constant = number(instruction, operand);
    } else {
      slot[i] = source(instruction, operand, bytes_of_operand(letters[i]));
    }
  }
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = add(action->execute);
  op.access = kept;
  op.slot = slot;
  op.immediate = static_cast<std::uint32_t>(constant);
}

} // namespace course::emulator
