#include "device/emulator/decode/array_bases.hpp"

#include "device/code/ptx/registers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace course::emulator {
namespace {

using ptx::Opcode;

// What a register holds: a sum of which the parts that are the same for all threads are known.
// Arithmetic is that of the 32 bits that an address in shared memory has.
struct Sum {
  bool uniform = false;                       // nothing else is in it
  std::uint32_t memory = 0;                   // how often the beginning of dynamic shared memory
  std::map<std::string, std::uint32_t> terms; // times what; no constants
};

constexpr std::size_t kMostTerms = 8;  // of a sum: with more, nothing is known of it
constexpr std::size_t kMostBases = 64; // with more, nobody would have carved them by hand

Sum scaled(Sum sum, std::uint32_t by) {
  sum.memory *= by;
  for (auto& [term, times] : sum.terms) times *= by;
  return sum;
}

Sum added(Sum a, const Sum& b, std::uint32_t sign) {
  a.uniform = a.uniform && b.uniform;
  a.memory += sign * b.memory;
  for (const auto& [term, times] : b.terms) a.terms[term] += sign * times;
  std::erase_if(a.terms, [](const auto& term) { return term.second == 0; });
  return a.terms.size() > kMostTerms ? Sum{} : a;
}

std::optional<std::uint32_t> constant(const ptx::Operand& operand) {
  const auto* immediate = std::get_if<ptx::Immediate>(&operand.value);
  if (!immediate || immediate->kind != ptx::Immediate::Kind::integer) return std::nullopt;
  return static_cast<std::uint32_t>(immediate->bits);
}

bool same_for_all(const ptx::Special& special) {
  static constexpr std::string_view kOfBlock[] = {"ntid.", "ctaid.", "nctaid."};
  return std::ranges::any_of(kOfBlock,
                             [&](std::string_view part) { return special.name.starts_with(part); });
}

class Reader {
public:
  explicit Reader(const ptx::Function& function)
      : function_(function), writes_(function.registers.size()), sums_(function.registers.size()) {
    for (const ptx::Instruction& instruction : function.body)
      for (const ptx::Register reg : ptx::results(instruction)) ++writes_[reg.index];
  }

  // In the order of the text: what is written once is written before it is read.
  void note(const ptx::Instruction& instruction) {
    const auto results = ptx::results(instruction);
    if (results.size() != 1 || writes_[results[0].index] != 1 || instruction.guard) return;
    Sum sum = result_of(instruction);
    if (sum.uniform && !is_sum(instruction)) sum = {true, 0, {{name_of(results[0]), 1}}};
    sums_[results[0].index] = std::move(sum);
  }
  Sum of(const ptx::Operand& operand) const {
    if (const auto* reg = std::get_if<ptx::Register>(&operand.value)) return sums_[reg->index];
    if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) return of(*symbol);
    if (const auto* special = std::get_if<ptx::Special>(&operand.value))
      return same_for_all(*special) ? Sum{true, 0, {{special->name, 1}}} : Sum{};
    return {std::holds_alternative<ptx::Immediate>(operand.value), 0, {}};
  }
  Sum of(const ptx::Memory& memory) const {
    if (const auto* reg = std::get_if<ptx::Register>(&memory.base)) return sums_[reg->index];
    const auto* symbol = std::get_if<ptx::Symbol>(&memory.base);
    return symbol ? of(*symbol) : Sum{};
  }
  void note_dynamic(const std::string& name) { dynamic_.insert(name); }

private:
  Sum of(const ptx::Symbol& symbol) const {
    return {true, dynamic_.contains(symbol.name) ? 1u : 0u, {}};
  }
  std::string name_of(ptx::Register reg) const { return "%" + std::to_string(reg.index); }

  static bool is_sum(const ptx::Instruction& instruction) {
    switch (instruction.row->opcode) {
    case Opcode::mov:
    case Opcode::cvt:
    case Opcode::cvta:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::ld:
      return true;
    case Opcode::shl:
    case Opcode::mul:
    case Opcode::mad:
      return constant(instruction.operands[2]).has_value();
    default:
      return false;
    }
  }

  Sum result_of(const ptx::Instruction& instruction) const {
    const auto& from = instruction.operands;
    if (instruction.row->opcode == Opcode::ld) return parameter(instruction);
    if (instruction.row->kind != ptx::Class::compute) return {};
    if (is_sum(instruction)) return sum_of(instruction.row->opcode, from);
    return {std::all_of(from.begin() + 1, from.end(), [&](const auto& o) { return of(o).uniform; }),
            0,
            {}};
  }

  Sum sum_of(Opcode opcode, const ptx::Operands& from) const {
    const auto by = [&] { return constant(from[2]).value_or(0); };
    switch (opcode) {
    case Opcode::add:
      return added(of(from[1]), of(from[2]), 1);
    case Opcode::sub:
      return added(of(from[1]), of(from[2]), 0u - 1);
    case Opcode::shl:
      return scaled(of(from[1]), by() < 32 ? 1u << by() : 0);
    case Opcode::mul:
      return scaled(of(from[1]), by());
    case Opcode::mad:
      return added(scaled(of(from[1]), by()), of(from[3]), 1);
    default: // moves and conversions
      return of(from[1]);
    }
  }

  // Of the kernel.
  Sum parameter(const ptx::Instruction& instruction) const {
    const auto* memory = std::get_if<ptx::Memory>(&instruction.operands[1].value);
    const auto* symbol = memory ? std::get_if<ptx::Symbol>(&memory->base) : nullptr;
    if (!symbol || std::ranges::find(instruction.modifiers, "param") == instruction.modifiers.end())
      return {};
    return {true, 0, {{symbol->name + "+" + std::to_string(memory->offset), 1}}};
  }

  const ptx::Function& function_;
  std::set<std::string> dynamic_;
  std::vector<std::uint32_t> writes_;
  std::vector<Sum> sums_;
};

// Those that no load, store or atomic of the function is.
bool changes_unseen(const ptx::Instruction& instruction) {
  using enum ptx::Class;
  switch (instruction.row->kind) {
  case unknown:
  case store_async:
  case copy:
  case bulk_copy:
  case matrix_load:
  case matrix_store:
  case matrix:
  case call:
    return true;
  default:
    return false;
  }
}

} // namespace

ArrayBases array_bases(const ptx::Function& entry, const std::vector<std::string>& dynamic) {
  ArrayBases bases;
  if (std::ranges::any_of(entry.body, changes_unseen)) return bases;
  Reader reader(entry);
  for (const auto& name : dynamic) reader.note_dynamic(name);
  std::vector<std::map<std::string, std::uint32_t>> known; // by base - 1
  std::set<std::uint16_t> stored;
  bases.accesses.resize(entry.body.size());
  for (std::size_t i = 0; i < entry.body.size(); ++i) {
    const ptx::Instruction& instruction = entry.body[i];
    reader.note(instruction);
    const auto kind = instruction.row->kind;
    const bool stores = kind == ptx::Class::store;
    if (!stores && kind != ptx::Class::load) continue;
    const auto* memory = std::get_if<ptx::Memory>(&instruction.operands[stores ? 0 : 1].value);
    const Sum sum = memory ? reader.of(*memory) : Sum{};
    if (sum.memory != 1) continue;
    auto at = std::ranges::find(known, sum.terms);
    if (at == known.end()) {
      if (known.size() == kMostBases) return {};
      at = known.insert(known.end(), sum.terms);
    }
    auto& access = bases.accesses[i];
    access.base = static_cast<std::uint16_t>(at - known.begin() + 1);
    if (!stores) continue;
    stored.insert(access.base);
    access.fills = reader.of(instruction.operands[1]).uniform;
  }
  bases.several = stored.size() > 1;
  return bases;
}

} // namespace course::emulator
