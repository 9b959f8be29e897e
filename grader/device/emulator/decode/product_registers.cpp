#include "device/emulator/decode/product_registers.hpp"

#include "device/code/ptx/registers.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace course::emulator {
namespace {

using ptx::Instruction;
using ptx::Opcode;

bool is(const Instruction& instruction, Opcode opcode) {
  return instruction.row->opcode == opcode;
}

bool waits_for_all(const Instruction& instruction) {
  if (!is(instruction, Opcode::wgmma_wait_group) || instruction.operands.empty()) return false;
  const auto* count = std::get_if<ptx::Immediate>(&instruction.operands[0].value);
  return count && count->bits == 0;
}

// A set of the registers that products have, and their copies.
using RegisterSet = std::vector<std::uint64_t>;
bool in_set(const RegisterSet& set, std::size_t i) {
  return set[i / 64] >> i % 64 & 1;
}
void put(RegisterSet& set, std::size_t i, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  set[i / 64] = value ? set[i / 64] | bit : set[i / 64] & ~bit;
}
bool unite(RegisterSet& to, const RegisterSet& from) {
  bool more = false;
  for (std::size_t w = 0; w < to.size(); ++w) {
    more = more || (from[w] & ~to[w]);
    to[w] |= from[w];
  }
  return more;
}

// Registers of products that are under way, by whether they are in a group.
struct UnderWay {
  RegisterSet started, committed;
  bool add(const UnderWay& from) {
    const bool more = unite(started, from.started);
    return unite(committed, from.committed) || more;
  }
  bool has(std::size_t i) const { return in_set(started, i) || in_set(committed, i); }
};

class ProductFlow {
public:
  explicit ProductFlow(const ptx::Function& function) : function_(function) {
    const std::size_t count = function.body.size();
    results_.resize(count);
    sources_.resize(count);
    number_registers();
    find_successors();
  }

  std::vector<bool> touches() {
    const std::size_t count = function_.body.size(), words = numbers_.size() / 64 + 1;
    // Registers of a product under way before each instruction; and those that a product needs
    // behind it, with no fence on the way.
    std::vector<UnderWay> under_way(count + 1, {RegisterSet(words), RegisterSet(words)});
    std::vector<RegisterSet> wanted(count + 1, RegisterSet(words));
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < count; ++i) {
        const UnderWay behind = after(i, under_way[i]);
        for (const std::size_t next : successors_[i]) again = under_way[next].add(behind) || again;
      }
    }
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = count; i-- > 0;) {
        RegisterSet behind(words);
        for (const std::size_t next : successors_[i]) unite(behind, wanted[next]);
        again = unite(wanted[i], before(i, std::move(behind))) || again;
      }
    }
    std::vector<bool> touching(count);
    for (std::size_t i = 0; i < count; ++i) {
      const ptx::Row& row = *function_.body[i].row;
      if (row.opcode == Opcode::wgmma_mma_async || row.kind == ptx::Class::matrix_step) continue;
      RegisterSet behind(words);
      for (const std::size_t next : successors_[i]) unite(behind, wanted[next]);
      const auto disturbs = [&](std::size_t reg) {
        return under_way[i].has(reg) || in_set(behind, reg);
      };
      touching[i] = std::any_of(results_[i].begin(), results_[i].end(), disturbs) ||
                    std::any_of(sources_[i].begin(), sources_[i].end(), disturbs);
    }
    return touching;
  }

private:
  // Numbers for the registers of products, and for those that moves join with them.
  void number_registers() {
    const auto number = [&](ptx::Register reg) { numbers_.emplace(reg.index, numbers_.size()); };
    const auto is_number = [&](ptx::Register reg) {
      const auto type = function_.registers[reg.index];
      return type != ptx::Type::pred && ptx::size_of(type) == 4;
    };
    for (const Instruction& instruction : function_.body) {
      if (!is(instruction, Opcode::wgmma_mma_async)) continue;
      for (std::size_t i = 0; i < 2 && i < instruction.operands.size(); ++i)
        if (const auto* list = std::get_if<ptx::Vector>(&instruction.operands[i].value))
          for (const auto& one : list->elements)
            if (const auto* reg = std::get_if<ptx::Register>(&one.value))
              if (is_number(*reg)) number(*reg);
    }
    for (std::size_t before = 0; before != numbers_.size();) {
      before = numbers_.size();
      for (const Instruction& instruction : function_.body) {
        if (!is_copy(instruction)) continue;
        const auto to = std::get<ptx::Register>(instruction.operands[0].value),
                   from = std::get<ptx::Register>(instruction.operands[1].value);
        if (numbers_.contains(to.index) && is_number(from)) number(from);
        if (numbers_.contains(from.index) && is_number(to)) number(to);
      }
    }
    const auto numbered = [&](const std::vector<ptx::Register>& registers) {
      std::vector<std::size_t> all;
      for (const auto reg : registers)
        if (const auto found = numbers_.find(reg.index); found != numbers_.end())
          all.push_back(found->second);
      return all;
    };
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      results_[i] = numbered(ptx::results(function_.body[i]));
      sources_[i] = numbered(ptx::sources(function_.body[i]));
    }
  }

  void find_successors() {
    const std::size_t count = function_.body.size();
    successors_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Instruction& instruction = function_.body[i];
      const auto to_label = [&](const std::string& name) {
        const auto found = function_.labels.find(name);
        if (found != function_.labels.end())
          successors_[i].push_back(std::min<std::size_t>(found->second, count));
      };
      bool falls_through = true;
      if (instruction.row->kind == ptx::Class::branch) {
        falls_through = instruction.guard.has_value();
        for (const auto& operand : instruction.operands)
          if (const auto* label = std::get_if<ptx::Label>(&operand.value)) {
            to_label(label->name);
            const auto table = function_.branch_targets.find(label->name);
            if (table != function_.branch_targets.end())
              for (const auto& target : table->second) to_label(target);
          }
      } else if (instruction.row->kind == ptx::Class::leave) {
        falls_through = instruction.guard.has_value();
      }
      if (falls_through) successors_[i].push_back(i + 1);
    }
  }

  // What is under way behind an instruction, of what is before it.
  UnderWay after(std::size_t i, UnderWay set) const {
    const Instruction& instruction = function_.body[i];
    if (is(instruction, Opcode::wgmma_mma_async)) {
      for (const std::size_t reg : results_[i]) put(set.started, reg, true);
      for (const std::size_t reg : sources_[i]) put(set.started, reg, true);
    } else if (is(instruction, Opcode::wgmma_commit_group)) {
      unite(set.committed, set.started);
      std::fill(set.started.begin(), set.started.end(), 0);
    } else if (waits_for_all(instruction)) {
      std::fill(set.committed.begin(), set.committed.end(), 0);
    } else if (is_copy(instruction) && !results_[i].empty() && !sources_[i].empty()) {
      if (in_set(set.started, sources_[i][0])) put(set.started, results_[i][0], true);
      if (in_set(set.committed, sources_[i][0])) put(set.committed, results_[i][0], true);
    }
    return set;
  }

  // Registers that products want without a fence before an instruction, of those behind it.
  RegisterSet before(std::size_t i, RegisterSet set) const {
    const Instruction& instruction = function_.body[i];
    if (is(instruction, Opcode::wgmma_mma_async)) {
      for (const std::size_t reg : results_[i]) put(set, reg, true);
      for (const std::size_t reg : sources_[i]) put(set, reg, true);
    } else if (is(instruction, Opcode::wgmma_fence)) {
      std::fill(set.begin(), set.end(), 0);
    } else if (is_copy(instruction) && !results_[i].empty() && !sources_[i].empty() &&
               in_set(set, results_[i][0])) {
      put(set, sources_[i][0], true);
    }
    return set;
  }

  const ptx::Function& function_;
  std::map<std::uint32_t, std::size_t> numbers_; // by index of the register
  std::vector<std::vector<std::size_t>> results_, sources_, successors_;
};

} // namespace

bool is_copy(const Instruction& instruction) {
  return is(instruction, Opcode::mov) && instruction.operands.size() == 2 &&
         std::holds_alternative<ptx::Register>(instruction.operands[0].value) &&
         std::holds_alternative<ptx::Register>(instruction.operands[1].value);
}

std::vector<bool> touches_of_products(const ptx::Function& function) {
  const bool any = std::any_of(function.body.begin(), function.body.end(),
                               [](const auto& one) { return is(one, Opcode::wgmma_mma_async); });
  if (!any) return {};
  return ProductFlow(function).touches();
}

} // namespace course::emulator
