#include "device/emulator/decode/live_registers.hpp"

#include "device/code/ptx/paths.hpp"
#include "device/code/ptx/registers.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

// What is live before an instruction, of what is live behind it.
template <typename Set>
void step_back(const ptx::Instruction& instruction, Set& live) {
  if (!instruction.guard)
    for (const ptx::Register reg : ptx::results(instruction)) live[reg.index] = false;
  for (const ptx::Register reg : ptx::sources(instruction)) live[reg.index] = true;
}

} // namespace

const LiveRegisters::Function& LiveRegisters::function_of(const Code& code) {
  const auto [found, is_new] = functions_.try_emplace(&code);
  Function& function = found->second;
  if (!is_new) return function;
  const auto& body = code.function->body;
  const ptx::PtxBlocks blocks = ptx::blocks_of(*code.function);
  const Set none(code.function->registers.size());
  std::vector<Set> before(blocks.paths.size(), none);
  function.behind = before;
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t block = blocks.end(); block-- > 0;) {
      Set& behind = function.behind[block];
      for (const std::uint32_t next : blocks.paths.successors(block))
        for (std::size_t r = 0; r < behind.size(); ++r) behind[r] = behind[r] || before[next][r];
      Set live = behind;
      for (std::uint32_t i = blocks.begins[block + 1]; i-- > blocks.begins[block];)
        step_back(body[i], live);
      if (live == before[block]) continue;
      before[block] = std::move(live);
      again = true;
    }
  }
  function.begins = blocks.begins;
  function.block_of = blocks.block_of;
  return function;
}

const std::vector<LiveRegisters::Held>& LiveRegisters::before(const Code& code,
                                                              std::uint32_t operation) {
  const auto [found, is_new] = asked_.try_emplace({&code, operation});
  const std::uint32_t at = code.instruction[operation];
  const auto& body = code.function->body;
  if (!is_new || at >= body.size()) return found->second;
  const Function& function = function_of(code);
  const std::uint32_t block = function.block_of[at];
  Set live = function.behind[block];
  for (std::uint32_t i = function.begins[block + 1]; i-- > at;) step_back(body[i], live);
  for (const auto& [number, slot] : code.register_slots) {
    const ptx::Type type = code.function->registers[number];
    if (live[number])
      found->second.push_back(
          {slot, type == ptx::Type::pred ? 0 : std::max(2u, ptx::size_of(type))});
  }
  return found->second;
}

} // namespace course::emulator
