#include "device/code/sass/wanted.hpp"

#include "device/code/ptx/registers.hpp"

#include <algorithm>
#include <set>

namespace course::sass {
namespace {

bool has(const ptx::Instruction& instruction, std::string_view modifier) {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) !=
         instruction.modifiers.end();
}

std::optional<Operation> operation_of(const ptx::Row& row) {
  using enum Operation;
  constexpr std::optional<Operation> nothing;
  static constexpr std::optional<Operation> kOf[] = {
      nothing, // of what has no row
#define ROW(id, name, kind, results, memory, orders, flow, sass) sass,
#include "device/code/ptx/instructions.def"
  };
  return kOf[static_cast<std::size_t>(row.opcode)];
}

const ptx::Memory* memory_of(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands)
    if (const auto* memory = std::get_if<ptx::Memory>(&operand.value)) return memory;
  return nullptr;
}

// An integer constant as an addition takes it.
std::optional<std::int64_t> constant(const ptx::Operand& operand) {
  const auto* immediate = std::get_if<ptx::Immediate>(&operand.value);
  if (!immediate || immediate->kind != ptx::Immediate::Kind::integer) return std::nullopt;
  return static_cast<std::int64_t>(immediate->bits);
}

} // namespace

std::optional<Wanted> wanted(const ptx::Instruction& instruction) {
  const ptx::Row& row = *instruction.row;
  const auto operation = operation_of(row);
  if (!operation) return std::nullopt;
  Wanted result{.operation = *operation};
  if (row.memory != ptx::In::named) {
    result.memory = row.memory == ptx::In::shared ? Memory::shared : Memory::none;
    return result;
  }
  for (const char* modifier : {"volatile", "relaxed", "acquire", "release", "mmio"})
    result.is_volatile = result.is_volatile || has(instruction, modifier);
  std::uint32_t components = 1;
  for (const std::string& modifier : instruction.modifiers) {
    const std::string_view space = std::string_view(modifier).substr(0, modifier.find(':'));
    if (space == "param") {
      const ptx::Memory* memory = memory_of(instruction);
      if (!memory || !std::holds_alternative<ptx::Register>(memory->base)) return std::nullopt;
      result.memory = Memory::constant;
    }
    // An address of the cluster's is a generic one for the machine.
    if (space == "shared" && modifier != "shared::cluster") result.memory = Memory::shared;
    if (space == "global") result.memory = Memory::global;
    if (space == "local") result.memory = Memory::local;
    if (space == "const") result.memory = Memory::constant;
    if (modifier == "v2") components = 2;
    if (modifier == "v4") components = 4;
    if (modifier == "v8") components = 8;
    if (const auto type = ptx::type_named(modifier)) result.element = ptx::size_of(*type);
  }
  result.is_tile = row.flow == ptx::Flow::load_tile || row.flow == ptx::Flow::store_tile;
  if (result.operation != Operation::atomic && !result.is_tile)
    result.width = result.element * components;
  return result;
}

// ---- values

Values::Values(const ptx::Function& function)
    : function_(function), written_at_(function.registers.size()) {
  const auto size = static_cast<std::uint32_t>(function.body.size());
  std::vector<bool> labelled(size + 1);
  for (const auto& [name, at] : function.labels) labelled[std::min(at, size)] = true;
  std::uint32_t labels = 0, branches = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    labels_.push_back(labels += labelled[i] ? 1 : 0);
    branches_.push_back(branches);
    branches += function.body[i].row->ends_block() ? 1 : 0;
    for (const ptx::Register reg : ptx::results(function.body[i]))
      written_at_[reg.index].push_back(i);
  }
  find_needed();
}

void Values::find_needed() {
  needed_.resize(function_.body.size());
  used_.resize(function_.registers.size());
  std::vector<std::uint32_t> work;
  const auto need = [&](std::uint32_t i) {
    if (needed_[i]) return;
    needed_[i] = true;
    work.push_back(i);
  };
  for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
    const ptx::Instruction& instruction = function_.body[i];
    const auto kind = wanted(instruction);
    const bool reads_alone =
        kind && !kind->is_volatile &&
        (kind->operation == Operation::load || kind->operation == Operation::matrix_load);
    if (ptx::results(instruction).empty() || instruction.row->orders == ptx::Orders::threads ||
        (memory_of(instruction) && !reads_alone))
      need(i);
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    for (const ptx::Register reg : ptx::sources(function_.body[i])) {
      if (used_[reg.index]) continue;
      used_[reg.index] = true;
      for (const std::uint32_t at : written_at_[reg.index]) need(at);
    }
  }
}

bool Values::needed(const ptx::Operand& result) const {
  const auto* reg = std::get_if<ptx::Register>(&result.value);
  return reg && used_[reg->index];
}

// Registers that are written once, where a constant is added to another, or nothing.
void Values::follow(Place& place) const {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps && place.root == Place::Root::reg; ++step) {
    const auto& written = written_at_[place.reg];
    if (written.size() != 1) return;
    const ptx::Instruction& from = function_.body[written[0]];
    if (from.guard || from.operands.size() < 2) return;
    std::int64_t added = 0;
    if (from.row->opcode == ptx::Opcode::add && from.operands.size() == 3) {
      const auto by = constant(from.operands[2]);
      if (!by || from.modifiers.size() != 1) return;
      added = from.modifiers[0].ends_with("32") ? static_cast<std::int32_t>(*by) : *by;
    } else if (from.row->opcode != ptx::Opcode::mov && from.row->opcode != ptx::Opcode::cvta) {
      return;
    }
    const auto& source = from.operands[1].value;
    if (const auto* reg = std::get_if<ptx::Register>(&source)) {
      place.reg = reg->index;
    } else if (const auto* symbol = std::get_if<ptx::Symbol>(&source)) {
      place.root = Place::Root::symbol;
      place.reg = 0;
      place.symbol = symbol->name;
      added += symbol->offset;
    } else {
      return;
    }
    place.offset += added;
  }
}

Place Values::place(const ptx::Instruction& instruction) const {
  const ptx::Memory* memory = memory_of(instruction);
  Place place;
  if (!memory) return place;
  place.offset = memory->offset;
  if (const auto* reg = std::get_if<ptx::Register>(&memory->base)) {
    place.root = Place::Root::reg;
    place.reg = reg->index;
    follow(place);
  } else if (const auto* symbol = std::get_if<ptx::Symbol>(&memory->base)) {
    place.root = Place::Root::symbol;
    place.symbol = symbol->name;
    place.offset += symbol->offset;
  }
  return place;
}

bool Values::same_value(const Place& place, std::uint32_t a, std::uint32_t b) const {
  if (place.root == Place::Root::none) return false;
  if (place.root == Place::Root::symbol) return true;
  const auto& written = written_at_[place.reg];
  if (written.size() <= 1) return true;
  const auto next = std::lower_bound(written.begin(), written.end(), std::min(a, b));
  return next == written.end() || *next >= std::max(a, b);
}

bool Values::straight(std::uint32_t a, std::uint32_t b) const {
  return labels_[a] == labels_[b];
}
bool Values::together(std::uint32_t a, std::uint32_t b) const {
  return straight(a, b) && branches_[a] == branches_[b];
}

bool Values::keeps_memory(std::uint32_t begin, std::uint32_t end) const {
  using enum ptx::Class;
  const auto keeps = [](const ptx::Instruction& instruction) {
    const auto kind = instruction.row->kind;
    return instruction.row->orders == ptx::Orders::nothing &&
           (kind == compute || kind == load || kind == shuffle || kind == vote || kind == branch);
  };
  return std::all_of(function_.body.begin() + begin, function_.body.begin() + end, keeps);
}

bool Values::still_known(const Place& place, std::uint32_t a, std::uint32_t b) const {
  constexpr std::size_t kMost = 256; // blocks that are looked at
  if (place.root == Place::Root::none || function_.body[a].guard) return false;
  if (place.root == Place::Root::reg && written_at_[place.reg].size() > 1) return false;
  if (!blocks_) blocks_ = ptx::blocks_of(function_);
  const auto& [begins, block_of, paths, meet] = *blocks_;
  const std::uint32_t first = block_of[a], last = block_of[b];
  if (first == last && a < b) return keeps_memory(a + 1, b);
  if (first == last || !paths.dominates(first, last)) return false;
  if (!keeps_memory(a + 1, begins[first + 1]) || !keeps_memory(begins[last], b)) return false;
  // Backwards from b: as `first` dominates, all ways end there.
  std::set<std::uint32_t> seen{first};
  std::vector<std::uint32_t> work = paths.predecessors(last);
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    if (!seen.insert(block).second) continue;
    if (seen.size() > kMost || !keeps_memory(begins[block], begins[block + 1])) return false;
    const auto& before = paths.predecessors(block);
    work.insert(work.end(), before.begin(), before.end());
  }
  return true;
}

} // namespace course::sass
