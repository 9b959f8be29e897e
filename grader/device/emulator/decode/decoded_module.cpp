#include "device/emulator/decode/decoded_module.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/code/inspect/variable_name.hpp"
#include "device/code/ptx/parse.hpp"
#include "device/code/sass/as_read.hpp"
#include "device/code/sass/resources.hpp"
#include "device/emulator/decode/array_bases.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/proof.hpp"
#include "device/emulator/decode/sass_counts.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/message_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace course::emulator {
namespace {

constexpr std::uint64_t kFunctionStep = 16;      // bytes between addresses of functions
constexpr std::uint64_t kMostConstants = 65'536; // bytes

// Of all constant variables; stops counting past the limit, before the sum can overflow.
std::uint64_t total_constants(const ptx::Module& module) {
  std::uint64_t bytes = 0;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables)
      if (variable.space == ptx::Space::constant && bytes <= kMostConstants)
        bytes += std::min(variable.size, kMostConstants + 1);
  };
  add(module.variables);
  for (const ptx::Function& function : module.functions) add(function.variables);
  return bytes;
}

constexpr const char* kReservedShared = "%reserved_smem_offset_1";
constexpr std::uint32_t kReservedBytes = 512; // of which cooperative groups use 288

} // namespace

Program::Program(const device::Module& module, std::uint32_t index) : declarations_(module.source) {
  auto cubin = sass::read(module.cubin);
  auto* read = std::get_if<sass::Cubin>(&cubin);
  std::optional<std::string> as_read;
  if (read && read->has_lines) as_read = sass::lines_as_read(module.ptx, read->ptx_text);
  auto parsed = ptx::parse(as_read ? *as_read : module.ptx);
  if (const auto* error = std::get_if<ptx::ParseError>(&parsed)) {
    error_ = fmt::format("line {} of the PTX cannot be read: {}: {}", error->ptx_line,
                         error->message, error->excerpt);
    return;
  }
  module_ = std::move(std::get<ptx::Module>(parsed));
  if (total_constants(module_) > kMostConstants) {
    error_ = "the module has more than 65536 bytes of __constant__ variables, which no GPU allows";
    return;
  }
  // What cooperative groups keep of a block lies in memory that the system reserves.
  if (module.ptx.find(kReservedShared) != std::string::npos)
    module_shared_.reserve("the system's memory of a block", kReservedBytes);
  place_variables(index);
  // Without a cubin, or with one of other PTX, everything is counted as the PTX has it.
  if (as_read) matcher_ = std::make_unique<sass::Matcher>(std::move(*read));
  if (read) {
    for (const auto& [name, kernel] : sass::resources(module.cubin))
      registers_[name] = kernel.registers;
  }
}

Program::~Program() = default;

std::uint32_t Program::place_array(Layout& layout, const ptx::Variable& variable) const {
  const std::string name = code::variable_name(variable.name);
  const std::uint32_t array = layout.add(name, variable.size, variable.align);
  const bool scalar =
      variable.type != ptx::Type::b8 && ptx::size_of(variable.type) == variable.size;
  if (scalar)
    layout.shape_last({variable.size, {}});
  else if (auto shape = declarations_.shape(name, variable.size))
    layout.shape_last(std::move(*shape));
  return array;
}

void Program::place_variables(std::uint32_t index) {
  device::Address next = kModuleMemory + index * kModuleMemoryBytes;
  constexpr std::uint32_t kMostManaged = 256; // modules
  device::Address next_managed = kManagedMemory + index % kMostManaged * kManagedMemoryBytes;
  const auto place = [&](const ptx::Variable& variable) {
    variables_.emplace(variable.name, &variable);
    switch (variable.space) {
    case ptx::Space::global: {
      constexpr std::uint64_t kApart = 4096; // so that a step over the end is noticed
      if (variable.managed) {                // pages of its own
        constexpr std::uint64_t kPage = 4096;
        addresses_.emplace(variable.name, next_managed);
        globals_.push_back({&variable, next_managed});
        next_managed += (std::min(variable.size, kManagedMemoryBytes) / kPage + 2) * kPage;
        break;
      }
      const std::uint64_t size = std::min(variable.size, kModuleMemoryBytes);
      addresses_.emplace(variable.name, next);
      globals_.push_back({&variable, next});
      next += (size + kApart) / 256 * 256 + kApart;
      break;
    }
    case ptx::Space::constant: {
      const std::uint32_t array = place_array(constants_, variable);
      addresses_.emplace(variable.name, constants_.arrays()[array].begin);
      break;
    }
    case ptx::Space::shared:
      // The dynamic array has no size of its own; it comes behind all others (entry).
      if (!variable.is_extern) {
        const std::uint32_t array = place_array(module_shared_, variable);
        addresses_.emplace(variable.name, module_shared_.arrays()[array].begin);
      }
      break;
    default:
      break;
    }
  };
  for (const ptx::Variable& variable : module_.variables) place(variable);
  // Shared arrays of device functions are as good as of module scope, and so are constants.
  for (const ptx::Function& function : module_.functions)
    for (const ptx::Variable& variable : function.variables)
      if (variable.space == ptx::Space::global || variable.space == ptx::Space::constant ||
          (variable.space == ptx::Space::shared && !function.is_entry))
        place(variable);
  for (std::size_t i = 0; i < module_.functions.size(); ++i)
    addresses_.emplace(module_.functions[i].name, kFunctionWindow + (i + 1) * kFunctionStep);
  for (const auto& [alias, function] : module_.aliases) {
    const auto found = addresses_.find(function);
    if (found != addresses_.end()) addresses_.emplace(alias, found->second);
  }

  constant_bytes_.resize(constants_.guarded_bytes());
  for (const auto& [name, variable] : variables_) {
    if (variable->space != ptx::Space::constant) continue;
    const device::Bytes bytes = initial_bytes(*variable);
    const std::uint64_t at = addresses_.at(name);
    if (at + bytes.size() <= constant_bytes_.size())
      std::copy(bytes.begin(), bytes.end(),
                constant_bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

device::Bytes Program::initial_bytes(const ptx::Variable& variable) const {
  device::Bytes bytes(variable.initial.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), variable.initial.data(), bytes.size());
  for (const ptx::Variable::Relocation& relocation : variable.relocations) {
    const auto target = address_of(relocation.target.name);
    if (!target || relocation.width > 8 || relocation.offset + relocation.width > bytes.size())
      continue;
    std::uint64_t value = *target + static_cast<std::uint64_t>(relocation.target.offset);
    const ptx::Variable* pointed = this->variable(relocation.target.name);
    if (relocation.generic && pointed) {
      if (pointed->space == ptx::Space::constant) value += kConstantWindow;
      if (pointed->space == ptx::Space::shared) value += kSharedWindow;
    }
    value >>= std::min(relocation.shift, 63u);
    std::memcpy(bytes.data() + relocation.offset, &value, relocation.width);
  }
  return bytes;
}

std::optional<std::uint64_t> Program::address_of(const std::string& symbol) const {
  const auto found = addresses_.find(symbol);
  if (found == addresses_.end()) return std::nullopt;
  return found->second;
}

const ptx::Variable* Program::variable(const std::string& symbol) const {
  const auto found = variables_.find(symbol);
  return found == variables_.end() ? nullptr : found->second;
}

std::string Program::file_of(const ptx::SourceLine& source) const {
  const auto found = module_.files.find(source.file);
  return found == module_.files.end() ? std::string() : found->second;
}

const Code* Program::code_of(const ptx::Function* function) const {
  const auto found = codes_.find(function);
  return found == codes_.end() ? nullptr : found->second.get();
}

const Layout* Program::layout_of(const std::string& entry) const {
  const ptx::Function* function = module_.function(entry);
  const Code* code = function ? code_of(function) : nullptr;
  return code ? &code->shared : nullptr;
}

const Code* Program::at_address(std::uint64_t address) const {
  if (!in_window(address, kFunctionWindow)) return nullptr;
  const std::uint64_t offset = address - kFunctionWindow;
  const std::uint64_t index = offset / kFunctionStep;
  if (offset % kFunctionStep || index == 0 || index > module_.functions.size()) return nullptr;
  return code_of(&module_.functions[index - 1]);
}

// A branch by a table leads to each of its labels; with thousands of such branches on one table of
// thousands, a short text has a control flow that fills any memory.
void refuse_too_many_ways(const ptx::Function& function) {
  constexpr std::size_t kMost = 1 << 20;
  std::size_t ways = 0;
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.row->opcode != ptx::Opcode::brx) continue;
    for (const ptx::Operand& operand : instruction.operands) {
      const auto* label = std::get_if<ptx::Label>(&operand.value);
      const auto table =
          label ? function.branch_targets.find(label->name) : function.branch_targets.end();
      if (table != function.branch_targets.end()) ways += table->second.size();
    }
    if (ways > kMost)
      throw Refusal{fmt::format("its branches by tables have more than {} ways (PTX line {})",
                                kMost, instruction.ptx_line)};
  }
}

bool Program::sets_registers(const ptx::Instruction& instruction) const {
  return matcher_ &&
         std::ranges::any_of(matcher_->cubin().kernels, [&](const sass::Kernel& kernel) {
           return std::ranges::count(kernel.sets_registers, instruction.ptx_line) != 0;
         });
}

const Code& Program::decode(const ptx::Function& function) {
  const auto found = codes_.find(&function);
  if (found != codes_.end()) return *found->second;
  refuse_too_many_ways(function);
  std::vector<sass::Match> matches;
  Arrangement arranged;
  std::vector<Proof> proven;
  if (matcher_) {
    matches = matcher_->match(function, shared_);
    arranged = arrangement(function, matcher_->cubin(), matches);
    proven = proofs(function, matcher_->cubin(), matches, arranged);
  }
  std::unique_ptr<Code> code = Decoder(*this, function, arranged).run();
  if (matcher_) count_by_sass(*code, matches, proven, std::move(arranged));
  return *codes_.emplace(&function, std::move(code)).first->second;
}

const Code& Program::entry(const std::string& name) {
  if (!error_.empty()) throw Refusal{error_};
  const std::lock_guard lock(decoding_);
  const auto refused = refusals_.find(name);
  if (refused != refusals_.end()) throw Refusal{refused->second};
  const ptx::Function* function = module_.function(name);
  if (!function || !function->is_entry || !function->has_body)
    throw Refusal{fmt::format("the module has no kernel '{}'", code::display_name(name))};
  if (const Code* known = code_of(function); known && !known->reachable.empty()) return *known;
  try {
    // The kernel's own shared arrays come behind those of the module, the dynamic one last.
    Layout layout = module_shared_;
    for (const ptx::Variable& variable : function->variables) {
      if (variable.space != ptx::Space::shared || variable.is_extern) continue;
      const std::uint32_t array = place_array(layout, variable);
      addresses_.insert_or_assign(variable.name, layout.arrays()[array].begin);
    }
    std::string dynamic_name;
    std::uint32_t dynamic_align = 16;
    std::vector<std::string> dynamic;
    const auto add_dynamic = [&](const ptx::Variable& variable) {
      if (variable.space != ptx::Space::shared || !variable.is_extern) return;
      dynamic.push_back(variable.name);
      dynamic_name = code::variable_name(variable.name);
      dynamic_align = std::max(dynamic_align, variable.align);
    };
    for (const ptx::Variable& variable : module_.variables) add_dynamic(variable);
    for (const ptx::Variable& variable : function->variables) add_dynamic(variable);
    if (dynamic.size() > 1) dynamic_name.clear();
    const std::uint32_t array = layout.add(dynamic_name, 0, dynamic_align);
    if (auto shape = declarations_.shape(dynamic_name, 0)) layout.shape_last(std::move(*shape));
    for (const std::string& symbol : dynamic)
      addresses_.insert_or_assign(symbol, layout.arrays()[array].begin);

    note_shared(*function, layout);
    decode(*function);
    Code& code = *codes_.at(function);
    code.shared = std::move(layout);
    code.registers = registers_[name];
    note_arrays(code, dynamic);
    gather(code);
    return code;
  } catch (const Refusal& refusal) {
    refusals_[name] = refusal.reason;
    throw;
  }
}

// Which of its dynamic arrays each access of a kernel means.
void Program::note_arrays(Code& entry, const std::vector<std::string>& dynamic) const {
  if (dynamic.empty()) return;
  const ArrayBases bases = array_bases(*entry.function, dynamic);
  entry.carves_arrays = bases.several;
  if (!bases.several) return;
  for (MemoryOperand& access : entry.accesses) access.array = bases.accesses[access.instruction];
}

void Program::note_shared(const ptx::Function& entry, const Layout& layout) {
  const auto note = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables) {
      const auto at = addresses_.find(variable.name);
      if (variable.space != ptx::Space::shared || at == addresses_.end()) continue;
      shared_[variable.name] = layout.hardware_offset(static_cast<std::uint32_t>(at->second));
    }
  };
  note(module_.variables);
  note(entry.variables);
  for (const ptx::Function& function : module_.functions)
    if (!function.is_entry) note(function.variables);
}

// What an entry reaches, and what follows for its execution.
void Program::gather(Code& entry) {
  std::vector<const Code*> reachable{&entry};
  std::set<const ptx::Function*> seen{entry.function};
  const auto reach = [&](const ptx::Function& function) {
    if (!function.has_body || function.is_entry || !seen.insert(&function).second) return;
    reachable.push_back(&decode(function));
  };
  bool through_pointers = false;
  for (std::size_t i = 0; i < reachable.size(); ++i) {
    for (const CallUse& use : reachable[i]->calls) {
      if (use.callee)
        reach(*use.callee);
      else
        through_pointers = true;
    }
    // A pointer may be to any function of the module.
    if (through_pointers)
      for (const ptx::Function& function : module_.functions) reach(function);
  }
  unsigned sizes = 0; // each a bit
  for (const Code* code : reachable) {
    entry.ordered_atomics = entry.ordered_atomics || code->ordered_atomics || code->synchronises;
    entry.synchronises = entry.synchronises || code->synchronises;
    entry.releases_to_host = entry.releases_to_host || code->releases_to_host;
    entry.lets_next_begin = entry.lets_next_begin || code->lets_next_begin;
    entry.may_wait = entry.may_wait || code->may_wait;
    entry.tells_order = entry.tells_order || code->tells_order;
    entry.reads_strongly = entry.reads_strongly || code->reads_strongly;
    entry.uses_heap = entry.uses_heap || code->uses_heap;
    entry.has_cluster_barriers = entry.has_cluster_barriers || code->has_cluster_barriers;
    entry.has_memory_barriers = entry.has_memory_barriers || code->has_memory_barriers;
    entry.has_products = entry.has_products || code->has_products;
    for (const MemoryOperand& access : code->accesses) {
      if (access.space != ptx::Space::shared) continue;
      if (access.element < 4) entry.shared_granule = 1;
      if (is_strong(access) && access.element >= 4 && !access.asynchronous) sizes |= access.element;
    }
  }
  entry.strong_sizes = std::popcount(sizes);
  entry.reachable = std::move(reachable);
}

} // namespace course::emulator
