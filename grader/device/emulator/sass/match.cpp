#include "device/emulator/sass/access_widths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace course::emulator::sass {
namespace {

// A PTX instruction as far as it can be compared with SASS.
struct Wanted {
  Operation operation{};
  Memory memory = Memory::generic;
  std::uint32_t width = 0;   // bytes a lane; 0 where PTX does not say
  std::uint32_t element = 0; // bytes
};

std::optional<Operation> operation_of(const ptx::Instruction& instruction) {
  const std::string& opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "ldu") return Operation::load;
  if (opcode == "st") return Operation::store;
  if (opcode == "atom" || opcode == "red") return Operation::atomic;
  if (opcode == "ldmatrix") return Operation::matrix_load;
  if (opcode == "stmatrix") return Operation::matrix_store;
  const auto& modifiers = instruction.modifiers;
  if (opcode == "cp" && modifiers.size() > 1 && modifiers[0] == "async" &&
      (modifiers[1] == "ca" || modifiers[1] == "cg")) {
    return Operation::copy;
  }
  return std::nullopt;
}

std::optional<Wanted> wanted(const ptx::Instruction& instruction) {
  const auto operation = operation_of(instruction);
  if (!operation) return std::nullopt;
  Wanted result{.operation = *operation};
  const bool on_shared_only = result.operation == Operation::matrix_load ||
                              result.operation == Operation::matrix_store ||
                              result.operation == Operation::copy;
  if (on_shared_only) {
    result.memory = Memory::shared;
    return result;
  }
  std::uint32_t components = 1;
  for (const std::string& modifier : instruction.modifiers) {
    const std::string_view space = std::string_view(modifier).substr(0, modifier.find(':'));
    if (space == "param") return std::nullopt;
    if (space == "shared") result.memory = Memory::shared;
    if (space == "global") result.memory = Memory::global;
    if (space == "local") result.memory = Memory::local;
    if (space == "const") result.memory = Memory::constant;
    if (modifier == "v2") components = 2;
    if (modifier == "v4") components = 4;
    if (modifier == "v8") components = 8;
    if (const auto type = ptx::type_named(modifier)) result.element = ptx::size_of(*type);
  }
  if (result.operation != Operation::atomic) result.width = result.element * components;
  return result;
}

// ptxas may find out which memory a generic address is in, and may forget it.
bool fits(const Wanted& wanted, const Access& access) {
  return access.operation == wanted.operation &&
         (access.memory == wanted.memory || access.memory == Memory::generic ||
          wanted.memory == Memory::generic);
}

bool alike(const Access& a, const Access& b) {
  return a.width == b.width && a.atomic == b.atomic && a.matrices == b.matrices &&
         a.memory == b.memory && a.warp_aggregated == b.warp_aggregated;
}

// How often each register is named; a result that is named once is not used.
class Uses {
public:
  explicit Uses(const ptx::Function& function) : count_(function.registers.size()) {
    for (const auto& instruction : function.body) {
      if (instruction.guard) add(instruction.guard->predicate);
      for (const auto& operand : instruction.operands) add(operand);
    }
  }
  bool used(const ptx::Operand& result) const {
    const auto* reg = std::get_if<ptx::Register>(&result.value);
    return reg && count_[reg->index] > 1;
  }

private:
  void add(ptx::Register reg) { ++count_[reg.index]; }
  void add(const ptx::Operand& operand) {
    if (const auto* reg = std::get_if<ptx::Register>(&operand.value)) add(*reg);
    if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) {
      for (const auto& element : vector->elements) add(element);
    }
    if (const auto* memory = std::get_if<ptx::Memory>(&operand.value)) {
      if (const auto* reg = std::get_if<ptx::Register>(&memory->base)) add(*reg);
      for (const auto& element : memory->coordinates) add(element);
    }
    if (const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value)) {
      if (pair->first) add(*pair->first);
      if (pair->second) add(*pair->second);
    }
  }
  std::vector<std::uint32_t> count_;
};

// A load's bytes that somebody needs: offsets behind its PTX address, each of an element.
std::vector<std::int32_t> needed(const ptx::Instruction& load, const Wanted& wanted,
                                 const Uses& uses) {
  const auto* vector =
      load.operands.empty() ? nullptr : std::get_if<ptx::Vector>(&load.operands[0].value);
  if (!vector) return {0};
  std::vector<std::int32_t> result;
  for (std::size_t i = 0; i < vector->elements.size(); ++i)
    if (uses.used(vector->elements[i]))
      result.push_back(static_cast<std::int32_t>(i * wanted.element));
  return result;
}

// Where accesses of `width` bytes begin that take in all of `needed`, when the PTX address is
// `offset` bytes behind a multiple of `width`.
std::vector<std::int32_t> begins_of(const std::vector<std::int32_t>& needed, std::int64_t offset,
                                    std::int32_t width) {
  std::set<std::int32_t> result;
  const auto past = static_cast<std::int32_t>(offset & (width - 1));
  for (const std::int32_t at : needed) {
    const std::int32_t behind = (at + past) & (width - 1);
    // The one at the PTX address itself needs no correction, as addresses are rounded down.
    const std::int32_t begin = at - behind;
    result.insert(begin == -past ? 0 : begin);
  }
  return {result.begin(), result.end()};
}

} // namespace

Matcher::Matcher(Cubin cubin) : cubin_(std::move(cubin)) {
  for (const Kernel& kernel : cubin_.kernels) {
    accesses_.insert(accesses_.end(), kernel.accesses.begin(), kernel.accesses.end());
    lines_.insert(lines_.end(), kernel.ptx_lines.begin(), kernel.ptx_lines.end());
  }
  std::stable_sort(accesses_.begin(), accesses_.end(),
                   [](const Access& a, const Access& b) { return a.ptx_line < b.ptx_line; });
  std::sort(lines_.begin(), lines_.end());
}

std::span<const Access> Matcher::at_line(std::uint32_t ptx_line) const {
  const auto by_line = [](const Access& a, std::uint32_t line) { return a.ptx_line < line; };
  const auto begin = std::lower_bound(accesses_.begin(), accesses_.end(), ptx_line, by_line);
  const auto end = std::lower_bound(begin, accesses_.end(), ptx_line + 1, by_line);
  return {begin, end};
}

bool Matcher::covers(const ptx::Function& function) const {
  if (function.body.empty()) return false;
  const auto line = std::lower_bound(lines_.begin(), lines_.end(), function.body.front().ptx_line);
  return line != lines_.end() && *line <= function.body.back().ptx_line;
}

namespace {

// Of a generic atomic, ptxas makes code for shared memory and code for the rest.
void keep_shared(std::vector<Access>& found) {
  const auto elsewhere = [](const Access& access) { return access.memory != Memory::shared; };
  if (!std::all_of(found.begin(), found.end(), elsewhere)) std::erase_if(found, elsewhere);
}

Match match_of(const ptx::Instruction& instruction, const Wanted& wanted,
               const std::vector<Access>& found, const Uses& uses) {
  Match match;
  if (found.empty()) {
    match.status = Match::Status::merged_away;
    return match;
  }
  match.access = found.front();
  match.begins = {0};
  bool certain = std::all_of(found.begin(), found.end(),
                             [&](const Access& access) { return alike(access, found[0]); });
  if (wanted.operation == Operation::load && match.access.width < wanted.width) {
    match.begins = begins_of(needed(instruction, wanted, uses), 0, match.access.width);
    // Each copy of the instruction has all of them.
    certain &= !match.begins.empty() && found.size() % match.begins.size() == 0;
  }
  match.status = certain ? Match::Status::found : Match::Status::ambiguous;
  return match;
}

// Whether each copy of an access, as told by the register of its address, comes with others that
// are as far apart as `begins`.
bool in_each_copy(const std::vector<std::int32_t>& begins, const std::vector<Access>& found) {
  if (found.size() % begins.size() != 0) return false;
  std::map<std::uint16_t, std::set<std::int32_t>> offsets;
  for (const Access& access : found) offsets[access.base].insert(access.offset);
  return std::all_of(offsets.begin(), offsets.end(), [&](const auto& copy) {
    return std::all_of(begins.begin(), begins.end(), [&](std::int32_t begin) {
      return copy.second.contains(*copy.second.begin() + begin - begins.front());
    });
  });
}

const ptx::Memory* address_of(const ptx::Instruction& load) {
  if (load.operands.size() < 2) return nullptr;
  const auto* memory = std::get_if<ptx::Memory>(&load.operands[1].value);
  return memory && std::holds_alternative<ptx::Register>(memory->base) ? memory : nullptr;
}

// Loads of neighbours in 16 bytes that ptxas first merged and then split again, because nobody
// needs what lies between them. All parts have the line of the first.
class Splits {
public:
  Splits(const ptx::Function& function, const std::vector<std::optional<Wanted>>& wanted,
         const std::vector<Match>& matches, const Uses& uses)
      : function_(function), wanted_(wanted), uses_(uses) {
    for (std::uint32_t i = 0; i < matches.size(); ++i) {
      if (matches[i].status != Match::Status::merged_away) continue;
      if (wanted[i]->operation != Operation::load) continue;
      if (const auto* memory = address_of(function.body[i])) gone_[base(*memory)].push_back(i);
    }
  }

  // What the load at `first` begins with, when it does the work of others as well.
  std::vector<std::int32_t> begins(std::uint32_t first, std::int32_t width) const {
    constexpr std::int64_t kWidest = 16;
    const auto* memory = address_of(function_.body[first]);
    if (!memory) return {};
    const auto others = gone_.find(base(*memory));
    if (others == gone_.end()) return {};
    std::vector<std::int32_t> all = needed(function_.body[first], *wanted_[first], uses_);
    for (const std::uint32_t other : others->second) {
      const std::int64_t offset = address_of(function_.body[other])->offset;
      if (wanted_[other]->memory != wanted_[first]->memory) continue;
      if ((offset & -kWidest) != (memory->offset & -kWidest)) continue;
      for (const std::int32_t at : needed(function_.body[other], *wanted_[other], uses_))
        all.push_back(static_cast<std::int32_t>(offset - memory->offset) + at);
    }
    return begins_of(all, memory->offset, width);
  }

private:
  static std::uint32_t base(const ptx::Memory& memory) {
    return std::get<ptx::Register>(memory.base).index;
  }

  const ptx::Function& function_;
  const std::vector<std::optional<Wanted>>& wanted_;
  const Uses& uses_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> gone_; // by register of the address
};

// A wide access does the work of others, which are then merged away. Where there are none, ptxas
// unrolled a loop and merged its rounds, and how often it executes cannot be told from PTX.
void doubt_unrolled(const std::vector<std::optional<Wanted>>& wanted, std::vector<Match>& matches) {
  std::set<std::pair<Operation, Memory>> merged_away;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i].status == Match::Status::merged_away) {
      merged_away.insert({wanted[i]->operation, wanted[i]->memory});
    }
  }
  for (std::size_t i = 0; i < matches.size(); ++i) {
    Match& match = matches[i];
    if (match.status == Match::Status::found && wanted[i]->width != 0 &&
        match.access.width > wanted[i]->width &&
        !merged_away.contains({wanted[i]->operation, wanted[i]->memory})) {
      match.status = Match::Status::ambiguous;
    }
  }
}

} // namespace

std::vector<Match> Matcher::match(const ptx::Function& function) const {
  const std::vector<ptx::Instruction>& body = function.body;
  std::vector<std::optional<Wanted>> all;
  std::map<std::pair<std::uint32_t, Operation>, int> in_line;
  for (const auto& instruction : body) {
    all.push_back(wanted(instruction));
    if (all.back()) ++in_line[{instruction.ptx_line, all.back()->operation}];
  }

  std::vector<Match> result(body.size());
  std::vector<std::vector<Access>> copies(body.size());
  const bool covered = covers(function);
  const Uses uses(function);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!all[i]) continue;
    result[i].status = Match::Status::unknown;
    if (!covered) continue;
    const Wanted& want = *all[i];
    std::vector<Access> found;
    for (const Access& access : at_line(body[i].ptx_line)) {
      if (fits(want, access)) found.push_back(access);
    }
    if (want.operation == Operation::atomic) keep_shared(found);
    // A line of inline assembly may have several accesses; the width tells them apart.
    const bool shares_line = in_line[{body[i].ptx_line, want.operation}] > 1 && want.width != 0;
    if (shares_line && !found.empty()) {
      std::erase_if(found, [&](const Access& access) { return access.width != want.width; });
      if (found.empty()) {
        result[i].status = Match::Status::ambiguous;
        continue;
      }
    }
    result[i] = match_of(body[i], want, found, uses);
    copies[i] = std::move(found);
  }
  const Splits splits(function, all, result, uses);
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    Match& match = result[i];
    if (match.status != Match::Status::found || match.access.operation != Operation::load ||
        match.access.width == 0)
      continue;
    auto begins = splits.begins(i, match.access.width);
    if (begins.size() > 1 && in_each_copy(begins, copies[i])) match.begins = std::move(begins);
  }
  doubt_unrolled(all, result);
  return result;
}

} // namespace course::emulator::sass
