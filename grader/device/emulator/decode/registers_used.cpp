#include "device/emulator/decode/registers_used.hpp"

#include "device/code/ptx/registers.hpp"

#include <algorithm>

namespace course::emulator {

std::vector<std::uint32_t> register_uses(const ptx::Function& function) {
  std::vector<std::uint32_t> uses(function.registers.size());
  for (const ptx::Instruction& instruction : function.body)
    for (const ptx::Register reg : ptx::sources(instruction)) ++uses[reg.index];
  return uses;
}

std::vector<std::uint32_t> first_uses(const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(function.body.size());
  std::vector<std::uint32_t> first(function.registers.size(), count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ptx::Instruction& instruction = function.body[i];
    const auto has_line = [&](std::uint32_t at) { return function.body[at].source.line != 0; };
    for (const ptx::Register reg : ptx::sources(instruction)) {
      std::uint32_t& at = first[reg.index];
      if (at == count || (!has_line(at) && has_line(i))) at = i;
    }
  }
  return first;
}

std::vector<std::uint32_t> register_looks(const ptx::Function& function) {
  std::vector<std::uint32_t> looks(function.registers.size());
  for (const ptx::Instruction& instruction : function.body) {
    const auto& operands = instruction.operands; // the result, and the two that are compared
    if (instruction.row->opcode != ptx::Opcode::setp || operands.size() != 3) continue;
    const auto* reg = std::get_if<ptx::Register>(&operands[1].value);
    if (reg && std::holds_alternative<ptx::Immediate>(operands[2].value)) ++looks[reg->index];
  }
  return looks;
}

std::vector<ptx::Register> read_before_written(const ptx::Function& function) {
  // Basic blocks: from each label and behind each jump.
  const std::size_t count = function.body.size();
  std::vector<bool> leads(count + 1);
  leads[0] = true;
  for (const auto& [name, at] : function.labels) leads[std::min<std::size_t>(at, count)] = true;
  for (std::size_t i = 0; i < count; ++i)
    if (function.body[i].row->ends_block()) leads[i + 1] = true;
  std::vector<std::size_t> block_of(count + 1), starts;
  for (std::size_t i = 0; i <= count; ++i) {
    if (leads[i]) starts.push_back(i);
    block_of[i] = starts.size() - 1;
  }
  const auto end_of = [&](std::size_t block) {
    return block + 1 < starts.size() ? starts[block + 1] : count;
  };

  // A function far beyond what a compiler makes: rather than by paths, every register counts.
  constexpr std::size_t kMostBits = 1u << 28;
  if (function.registers.size() > kMostBits / starts.size()) {
    std::vector<ptx::Register> all(function.registers.size());
    for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = {r};
    return all;
  }

  // Written on every path to a block's start; everything, until a path says otherwise.
  using Set = std::vector<bool>;
  std::vector<Set> written(starts.size(), Set(function.registers.size(), true));
  std::vector<bool> reached(starts.size());
  written[0].assign(function.registers.size(), false);
  std::vector<std::size_t> work{0};
  reached[0] = true;
  Set suspects(function.registers.size());
  const auto walk = [&](std::size_t block, Set set, auto&& on_read) {
    for (std::size_t i = starts[block]; i < end_of(block); ++i) {
      const ptx::Instruction& instruction = function.body[i];
      for (const ptx::Register reg : ptx::sources(instruction))
        if (!set[reg.index]) on_read(reg);
      if (instruction.guard) continue;
      for (const ptx::Register reg : ptx::results(instruction)) set[reg.index] = true;
    }
    return set;
  };
  while (!work.empty()) {
    const std::size_t block = work.back();
    work.pop_back();
    const Set out = walk(block, written[block], [](ptx::Register) {});
    std::vector<std::size_t> next;
    const std::size_t end = end_of(block);
    const ptx::Instruction* last = end > starts[block] ? &function.body[end - 1] : nullptr;
    if (!last || !last->row->ends_block() || last->guard) {
      if (block + 1 < starts.size()) next.push_back(block + 1);
    }
    if (last && last->row->opcode == ptx::Opcode::bra && !last->operands.empty()) {
      if (const auto* label = std::get_if<ptx::Label>(&last->operands[0].value)) {
        const auto found = function.labels.find(label->name);
        if (found != function.labels.end())
          next.push_back(block_of[std::min<std::size_t>(found->second, count)]);
      }
    }
    if (last && last->row->opcode == ptx::Opcode::brx)
      for (std::size_t i = 0; i < starts.size(); ++i) next.push_back(i);
    for (std::size_t to : next) {
      Set met = written[to];
      for (std::size_t r = 0; r < met.size(); ++r) met[r] = met[r] && out[r];
      if (reached[to] && met == written[to]) continue;
      reached[to] = true;
      written[to] = std::move(met);
      work.push_back(to);
    }
  }
  for (std::size_t block = 0; block < starts.size(); ++block)
    if (reached[block])
      walk(block, written[block], [&](ptx::Register reg) { suspects[reg.index] = true; });

  std::vector<ptx::Register> result;
  for (std::uint32_t r = 0; r < suspects.size(); ++r)
    if (suspects[r]) result.push_back({r});
  return result;
}

} // namespace course::emulator
