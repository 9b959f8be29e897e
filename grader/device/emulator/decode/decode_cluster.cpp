// Decoding of what clusters have: their barrier, addresses in other blocks' shared memory, and
// stores that tell a barrier there.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/instruction_set.hpp"

namespace course::emulator {

void Decoder::cluster_barrier(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take("cluster");
  const bool arrives = modifiers.take("arrive");
  const bool waits = !arrives && modifiers.take("wait");
  modifiers.take_any({"acquire", "release"});
  const bool aligned = modifiers.take("aligned"), relaxed = modifiers.take("relaxed");
  if (modifiers.left() || (!arrives && !waits) || !instruction.operands.empty())
    refuse(instruction);
  code_->has_cluster_barriers = true;
  if (aligned) add(need_aligned).immediate = add_site(instruction, nullptr);
  Operation& op = arrives ? add(arrive_at_cluster) : add(nullptr, OperationKind::cluster_wait);
  op.immediate = relaxed ? 0 : 1;
}

// mapa: the same place in the shared memory of a block by its rank.
void Decoder::map_address(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take("shared::cluster");
  const bool wide = modifiers.take("u64");
  if ((!wide && !modifiers.take("u32")) || modifiers.left() || instruction.operands.size() != 3)
    refuse(instruction);
  const Slot from = source(instruction, instruction.operands[1], wide ? 8 : 4);
  const Slot rank = source(instruction, instruction.operands[2], 4);
  const Result made = result(instruction, instruction.operands[0], wide ? 8 : 4);
  if (made.wider_bytes) refuse(instruction);
  Operation& op = add(wide ? map_to_rank_64 : map_to_rank_32);
  op.slot[0] = made.slot;
  op.slot[1] = from;
  op.slot[2] = rank;
}

void Decoder::rank_of_address(const Instruction& instruction) { // getctarank
  Modifiers modifiers(instruction);
  modifiers.take("shared::cluster");
  const bool wide = modifiers.take("u64");
  if ((!wide && !modifiers.take("u32")) || modifiers.left() || instruction.operands.size() != 2)
    refuse(instruction);
  const Slot from = source(instruction, instruction.operands[1], wide ? 8 : 4);
  const Result made = result(instruction, instruction.operands[0], 4);
  if (made.wider_bytes) refuse(instruction);
  Operation& op = add(wide ? rank_of_64 : rank_of_32);
  op.slot[0] = made.slot;
  op.slot[1] = from;
}

// st.async, red.async: [address], values, [barrier]; in the shared memory of one block, whose
// barrier is told of the bytes.
void Decoder::store_async(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  const auto& operands = instruction.operands;
  modifiers.take("async");
  const auto type = ptx::type_named(instruction.modifiers.back());
  if (!type) refuse(instruction, "it has no type");
  modifiers.take(instruction.modifiers.back());
  modifiers.take_any({"weak", "relaxed", "cluster"});
  if (!modifiers.take("shared::cluster") || !modifiers.take("mbarrier::complete_tx::bytes"))
    refuse(instruction);
  MemoryOperand access;
  access.space = ptx::Space::generic;
  access.direction = Direction::store;
  access.element = static_cast<std::uint8_t>(ptx::size_of(*type));
  access.components = modifiers.take("v4") ? 4 : modifiers.take("v2") ? 2 : 1;
  access.strong = true;
  access.asynchronous = true;
  access.reported = {model::RequestKind::dshared_store_async, static_cast<int>(access.width())};
  if (instruction.row->opcode == ptx::Opcode::red_async) {
    std::string operation;
    for (const char* name : {"add", "min", "max", "and", "or", "xor", "inc", "dec"})
      if (modifiers.take(name)) operation = name;
    bool ordered = false;
    access.direction = Direction::atomic;
    access.combine = combine_operation(operation + "." + instruction.modifiers.back(), ordered);
    access.reported->access = model::RequestKind::dshared_red_async;
    if (!access.combine) refuse(instruction);
  }
  if (modifiers.left() || operands.size() != 3) refuse(instruction);
  const auto* to = std::get_if<ptx::Memory>(&operands[0].value);
  const std::vector<Operand> values = components(operands[1]);
  if (!to || values.size() != access.components) refuse(instruction);
  point(instruction, access, *to);
  access.kind = model::RequestKind::global_store;
  access.counted_width = static_cast<std::uint8_t>(access.width());
  const std::size_t first = access.combine ? 1 : 0; // an atomic's operand comes second
  access.value[0] = sink(access.element);
  for (std::size_t i = 0; i < values.size(); ++i)
    access.value[first + i] = source(instruction, values[i], access.element);
  if (access.combine) access.value[2] = access.value[1];
  access.barrier =
      keep_access(instruction, barrier_access(instruction, operands[2], ptx::Space::shared));
  const MemoryOperand* kept = keep_access(instruction, access);
  add(start_store_async).access = kept;
}

// Changes no result, but who waits.
void Decoder::set_max_registers(const Instruction& instruction) {
  const auto* count = instruction.operands.size() == 1
                          ? std::get_if<ptx::Immediate>(&instruction.operands[0].value)
                          : nullptr;
  if (!count || count->bits < 24 || count->bits > 256 || count->bits % 8 != 0)
    refuse(instruction, "a number of registers is a multiple of 8 from 24 to 256");
  if (!program_.sets_registers(instruction)) return no_operation(instruction);
  Modifiers modifiers(instruction);
  Operation& op =
      modifiers.take("dec") ? add(give_registers_back) : add(nullptr, OperationKind::register_wait);
  op.immediate = static_cast<std::uint32_t>(count->bits);
}

} // namespace course::emulator
