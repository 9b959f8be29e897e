// Decoding of what waits: barriers of a block and of a warp, exchanges between lanes.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/fences.hpp"

#include <algorithm>

namespace course::emulator {

void Decoder::barrier(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take_any({"cta", "aligned"});
  BarrierUse use;
  const auto& operands = instruction.operands;
  std::size_t next = 0;
  const bool reduces = instruction.row->results != ptx::Results::none && modifiers.take("red");
  if (reduces) {
    if (operands.size() < 3) refuse(instruction);
    if (modifiers.take("popc")) {
      use.action = BarrierAction::popc;
      modifiers.take("u32");
      use.result = result(instruction, operands[0], 4).slot;
    } else if (modifiers.take("and") || modifiers.take("or")) {
      const bool any = std::find(instruction.modifiers.begin(), instruction.modifiers.end(),
                                 "or") != instruction.modifiers.end();
      use.action = any ? BarrierAction::logical_or : BarrierAction::logical_and;
      modifiers.take("pred");
      use.result = predicate(instruction, operands[0]);
    } else {
      refuse(instruction);
    }
    Operand last = operands.back();
    use.negated = last.negated;
    last.negated = false;
    use.predicate = predicate(instruction, last);
    next = 1;
  } else if (modifiers.take("arrive")) {
    use.action = BarrierAction::arrive;
  } else if (!modifiers.take("sync")) {
    refuse(instruction);
  }
  if (modifiers.left()) refuse(instruction);
  const std::size_t end = operands.size() - (reduces ? 1 : 0);
  const bool whole_block = end - next == 1;
  if (end - next > 2 || end == next || (use.action == BarrierAction::arrive && whole_block))
    refuse(instruction);
  use.id = source(instruction, operands[next], 4);
  if (!whole_block) use.count = source(instruction, operands[next + 1], 4);
  use.site = add_site(instruction, nullptr);
  Operation& op = add(nullptr, OperationKind::barrier);
  op.target = static_cast<std::uint32_t>(code_->barriers.size());
  code_->barriers.push_back(use);
}

// membar.gl; fence.acq_rel.gpu; … Those of proxies order no plain accesses among each other.
// fence.proxy.async is between these and asynchronous ones (check/proxies.hpp).
void Decoder::fence(const Instruction& instruction) {
  const auto has = [&](const char* name) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), name) !=
           instruction.modifiers.end();
  };
  if (has("proxy") && std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                                  [](const auto& name) { return name.starts_with("async"); })) {
    const bool shared = has("shared::cta") || has("shared::cluster"), global = has("global");
    add(fence_proxies).immediate = shared   ? kFencesShared
                                   : global ? kFencesGlobal
                                            : kFencesShared | kFencesGlobal;
    return;
  }
  if (has("mbarrier_init")) {
    code_->has_memory_barriers = true;
    add(fence_barriers);
    return;
  }
  if (has("proxy")) return no_operation(instruction);
  const Scope scope = has("cta") ? Scope::block : has("cluster") ? Scope::cluster : Scope::device;
  code_->releases_to_host = code_->releases_to_host || has("sys");
  Operation& made = add(fence_memory);
  const bool in_one_order = has("sc") || instruction.row->opcode == ptx::Opcode::membar;
  made.immediate = static_cast<std::uint32_t>(scope) | (in_one_order ? kInOneOrder : 0);
  made.tells_order = true; // after it what a thread has written is seen: others may come before
}

void Decoder::warp_barrier(const Instruction& instruction) { // bar.warp.sync
  if (instruction.modifiers != std::vector<std::string>{"warp", "sync"} ||
      instruction.operands.size() != 1)
    refuse(instruction);
  RendezvousUse use;
  use.members = source(instruction, instruction.operands[0], 4);
  use.orders_memory = true;
  use.site = add_site(instruction, nullptr);
  Operation& op = add(nullptr, OperationKind::rendezvous);
  op.target = static_cast<std::uint32_t>(code_->rendezvous.size());
  code_->rendezvous.push_back(use);
}

void Decoder::exchange(const Instruction& instruction, const Exchange& exchange) {
  const std::string letters = exchange.operands;
  const auto& operands = instruction.operands;
  if (operands.size() != letters.size()) refuse(instruction);
  std::array<Slot, 6> slot{};
  slot[kPairSlot] = predicate_sink_;
  const auto bytes = [](char letter) { return letter == 'd' ? 8u : 4u; };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (i > 0) {
      slot[i] = letters[i] == 'p' ? predicate(instruction, operand)
                                  : source(instruction, operand, bytes(letters[i]));
      continue;
    }
    Operand first = operand;
    if (const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value)) {
      if (!exchange.pair) refuse(instruction);
      if (pair->second) slot[kPairSlot] = predicate(instruction, {*pair->second});
      first.value = ptx::Sink{};
      if (pair->first) first.value = *pair->first;
    }
    if (letters[0] == 'p')
      slot[0] = predicate(instruction, first);
    else
      slot[0] = result(instruction, first, 4).slot;
  }
  if (instruction.row->opcode == ptx::Opcode::activemask) {
    add(exchange.execute).slot = slot;
    return;
  }
  RendezvousUse use;
  use.members = slot[letters.size() - 1];
  use.site = add_site(instruction, nullptr);
  const MemoryOperand* counted = nullptr;
  if (exchange.counts_as_shuffle) {
    MemoryOperand& access = code_->accesses.emplace_back();
    access.space = ptx::Space::reg;
    access.id = use.site;
    access.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
    counted = &access;
  }
  Operation& op = add(exchange.execute, OperationKind::rendezvous);
  op.slot = slot;
  op.access = counted;
  op.immediate = use.site;
  op.target = static_cast<std::uint32_t>(code_->rendezvous.size());
  code_->rendezvous.push_back(use);
}

} // namespace course::emulator
