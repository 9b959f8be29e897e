#include "device/emulator/decode/decoder.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/code/ptx/control_flow.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/product_registers.hpp"
#include "device/message_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace course::emulator {

std::string text_of(const ptx::Instruction& instruction) {
  std::string text = instruction.opcode;
  for (const std::string& modifier : instruction.modifiers) text += "." + modifier;
  return text;
}

std::optional<ptx::Type> Modifiers::take_type() {
  if (all_.empty() || taken_.back()) return std::nullopt;
  const auto type = ptx::type_named(all_.back());
  if (type) taken_.back() = true;
  return type;
}

namespace {

// A function that is called and has no body.
std::string why_not_provided(const std::string& name) {
  if (name.starts_with("__cudaCDP2") || name.starts_with("cudaLaunchDevice"))
    return "a kernel that launches kernels (dynamic parallelism) is not available; launch the "
           "inner one from host code";
  return fmt::format("'{}' is not defined in this module", code::display_name(name));
}

} // namespace

Decoder::Decoder(Program& program, const ptx::Function& function, const Arrangement& arrangement)
    : program_(program), function_(function), code_(std::make_unique<Code>()) {
  code_->function = &function;
  code_->shown = code::display_name(function.name);
  find_places(arrangement);
}

void Decoder::refuse(const Instruction& instruction, const std::string& why) const {
  using Says = device::MessageId;
  const std::string text = text_of(instruction), file = program_.file_of(instruction.source);
  const auto line = instruction.source.line;
  device::Message reason = !line ? device::Message(Says::cannot_execute, text)
                           : file.empty()
                               ? device::Message(Says::cannot_execute_line, text, line)
                               : device::Message(Says::cannot_execute_at, text, file, line);
  if (!why.empty())
    reason = device::Message(Says::of_kernel, std::move(reason), device::Message(why));
  throw Refusal{std::move(reason)};
}

Operation& Decoder::add(Execute execute, OperationKind kind) {
  Operation op;
  op.execute = execute;
  op.kind = kind;
  op.counted = first_of_instruction_;
  first_of_instruction_ = false;
  if (current_ && current_->guard) {
    op.guard = register_slot(current_->guard->predicate);
    op.guard_kind = current_->guard->negated ? GuardKind::if_clear : GuardKind::if_set;
  }
  code_->operations.push_back(op);
  code_->instruction.push_back(
      current_ ? static_cast<std::uint32_t>(current_ - function_.body.data())
               : static_cast<std::uint32_t>(std::max<std::size_t>(function_.body.size(), 1) - 1));
  return code_->operations.back();
}

std::unique_ptr<Code> Decoder::run() {
  allocate(2); // a slot of 0 stands for "none" in optional places
  predicate_sink_ = allocate_predicate();
  uses_ = register_uses(function_);
  looks_ = register_looks(function_);
  touches_ = touches_of_products(function_);

  std::uint64_t local = 0;
  for (const ptx::Variable& variable : function_.variables) {
    if (variable.space == ptx::Space::local) {
      const std::uint64_t align = std::clamp(variable.align, 1u, 1024u);
      local = (local + align - 1) / align * align;
      local_offsets_[variable.name] = local;
      local += variable.size;
      if (local > 512u << 10)
        throw Refusal{fmt::format("'{}' has more than 512 KiB of local memory", code_->shown)};
    } else if (variable.space == ptx::Space::param) {
      areas_[variable.name] = parameter_area(variable);
    }
  }
  code_->local_bytes = static_cast<std::uint32_t>((local + 15) / 16 * 16);
  if (!function_.is_entry) {
    for (const ptx::Variable& parameter : function_.parameters) {
      code_->argument_areas.push_back(areas_[parameter.name] = parameter_area(parameter));
    }
    for (const ptx::Variable& variable : function_.results)
      code_->result_areas.push_back(areas_[variable.name] = parameter_area(variable));
  }

  for (const Instruction& instruction : function_.body) {
    first_operation_.push_back(static_cast<std::uint32_t>(code_->operations.size()));
    current_ = &instruction;
    add_places(static_cast<std::uint32_t>(first_operation_.size() - 1));
    first_of_instruction_ = true;
    if (!touches_.empty() && touches_[first_operation_.size() - 1]) add_touch(instruction);
    decode(instruction);
  }
  first_operation_.push_back(static_cast<std::uint32_t>(code_->operations.size()));
  current_ = nullptr;
  add(nullptr, OperationKind::leave).counted = false;
  resolve_branches();
  find_reconvergence();
  add_cleared();
  code_->register_slots = std::move(registers_);
  return std::move(code_);
}

void Decoder::add_cleared() {
  const std::vector<ptx::Register> unwritten = read_before_written(function_);
  const std::vector<std::uint32_t> first = first_uses(function_);
  std::map<std::uint32_t, std::uint32_t> sites; // by instruction
  for (const ptx::Register reg : unwritten) {
    if (!registers_.contains(reg.index)) continue;
    const std::uint32_t bytes = register_bytes(reg), at = first[reg.index];
    const auto [site, is_new] = sites.try_emplace(at, 0);
    if (is_new) site->second = add_site(function_.body[at], nullptr, first_operation_[at]);
    code_->cleared.push_back({register_slot(reg), bytes ? bytes * kLanes : 4, site->second});
    code_->tells_order = true; // what is in it may differ from one execution to the next
  }
}

void Decoder::find_places(const Arrangement& arrangement) {
  std::set<std::uint32_t> reached;
  for (const Sunk& sunk : arrangement.sunk)
    if (reached.insert(sunk.to).second) places_.emplace(sunk.to, Place{reach_place, sunk.to});
  // A loop is left before the next one begins.
  for (std::uint32_t i = 0; i < arrangement.loops.size(); ++i)
    places_.emplace(arrangement.loops[i].exit, Place{leave_loop, i});
  for (std::uint32_t i = 0; i < arrangement.loops.size(); ++i)
    places_.emplace(arrangement.loops[i].header, Place{begin_round, i});
}

void Decoder::add_places(std::uint32_t instruction) {
  const auto [first, last] = places_.equal_range(instruction);
  for (auto place = first; place != last; ++place) {
    first_of_instruction_ = false;
    Operation& op = add(place->second.execute);
    op.guard_kind = GuardKind::none;
    op.immediate = place->second.index;
  }
}

CallUse::Copy Decoder::parameter_area(const ptx::Variable& variable) {
  const std::uint64_t bytes = (std::max<std::uint64_t>(variable.size, 1) + 15) / 16 * 16;
  if (bytes > 4096)
    throw Refusal{fmt::format("{}: parameter '{}' is too large", code_->shown, variable.name)};
  return {allocate(static_cast<std::uint32_t>(bytes)), static_cast<std::uint32_t>(bytes)};
}

// By opcode where an instruction has a decoder to itself, otherwise by class.
Decoder::Decode Decoder::decoder_of(const ptx::Row& row) {
  {
    using enum ptx::Opcode;
#define OF_OPCODE(function, ...)                                                                   \
  for (const auto opcode : {__VA_ARGS__})                                                          \
    if (opcode == row.opcode) return &Decoder::function;
#include "device/emulator/decode/decoders.def"
  }
  {
    using enum ptx::Class;
#define OF_CLASS(function, ...)                                                                    \
  for (const auto kind : {__VA_ARGS__})                                                            \
    if (kind == row.kind) return &Decoder::function;
#include "device/emulator/decode/decoders.def"
  }
  return nullptr;
}

std::vector<std::string_view> Decoder::opcodes() {
  std::set<std::string_view> all;
  for (const ptx::Row& row : ptx::instructions())
    if (decoder_of(row)) all.insert(row.name.substr(0, row.name.find('.')));
  return {all.begin(), all.end()};
}

void Decoder::decode(const Instruction& instruction) {
  const ptx::Row& row = *instruction.row;
  if (!row.is_known()) refuse(instruction);
  code_->synchronises = code_->synchronises || row.orders == ptx::Orders::memory;
  if (const Decode decoder = decoder_of(row)) return (this->*decoder)(instruction);
  const std::string name = text_of(instruction);
  if (const Exchange* exchanged = exchange_operation(name))
    return exchange(instruction, *exchanged);
  if (const Form* known = forms().find(name)) return form(instruction, *known);
  refuse(instruction);
}

void Decoder::leave(const Instruction&) {
  add(nullptr, OperationKind::exit);
}
void Decoder::trap(const Instruction&) {
  add(nullptr, OperationKind::trap);
}

void Decoder::grid_dependency(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  if (modifiers.take("wait"))
    add(wait_for_earlier_launch);
  else
    code_->lets_next_begin = true;
}

void Decoder::no_operation(const Instruction&) {
  add([](Warp&, const Operation&, std::uint32_t) {});
}

void Decoder::branch(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take("uni");
  const auto* label = instruction.operands.size() == 1
                          ? std::get_if<ptx::Label>(&instruction.operands[0].value)
                          : nullptr;
  const auto found = label ? function_.labels.find(label->name) : function_.labels.end();
  if (modifiers.left() || found == function_.labels.end()) refuse(instruction);
  branches_.emplace_back(code_->operations.size(), found->second);
  add(nullptr, OperationKind::branch);
}

void Decoder::indirect_branch(const Instruction& instruction) {
  if (instruction.operands.size() != 2) refuse(instruction);
  const auto* label = std::get_if<ptx::Label>(&instruction.operands[1].value);
  const auto targets =
      label ? function_.branch_targets.find(label->name) : function_.branch_targets.end();
  if (targets == function_.branch_targets.end()) refuse(instruction);
  std::vector<std::uint32_t> table; // of instructions; of operations once all are known
  for (const std::string& target : targets->second) {
    const auto found = function_.labels.find(target);
    if (found == function_.labels.end())
      refuse(instruction, fmt::format("there is no label '{}'", target));
    table.push_back(found->second);
  }
  const Slot index = source(instruction, instruction.operands[0], 4);
  Operation& op = add(nullptr, OperationKind::indirect_branch);
  op.slot[1] = index;
  op.target = static_cast<std::uint32_t>(code_->branch_tables.size());
  code_->branch_tables.push_back(std::move(table));
}

void Decoder::return_from(const Instruction&) {
  branches_.emplace_back(code_->operations.size(), function_.body.size());
  add(nullptr, OperationKind::branch);
}

void Decoder::resolve_branches() {
  for (const auto& [operation, instruction] : branches_)
    code_->operations[operation].target = first_operation_.at(instruction);
  for (auto& table : code_->branch_tables)
    for (std::uint32_t& target : table) target = first_operation_.at(target);
}

void Decoder::find_reconvergence() {
  const auto& operations = code_->operations;
  const auto end = static_cast<std::uint32_t>(operations.size() - 1);
  std::vector<std::vector<std::uint32_t>> successors(operations.size());
  for (std::uint32_t i = 0; i < end; ++i) {
    const Operation& op = operations[i];
    const bool falls_through = op.guard_kind != GuardKind::none;
    switch (op.kind) {
    case OperationKind::branch:
      if (falls_through) successors[i].push_back(i + 1);
      successors[i].push_back(op.target);
      break;
    case OperationKind::indirect_branch:
      if (falls_through || code_->branch_tables[op.target].empty()) successors[i].push_back(i + 1);
      for (std::uint32_t target : code_->branch_tables[op.target]) successors[i].push_back(target);
      break;
    case OperationKind::exit:
    case OperationKind::trap:
      if (falls_through) successors[i].push_back(i + 1);
      successors[i].push_back(end);
      break;
    default:
      successors[i].push_back(i + 1);
    }
  }
  const std::vector<std::uint32_t> meet = ptx::post_dominators(successors);
  // Lanes that end a kernel early do not wait for the others to end it.
  const auto ends = [&](std::uint32_t at) {
    if (at == kNowhere || at == end) return true;
    const Operation& op = operations[at];
    return op.guard_kind == GuardKind::none &&
           (op.kind == OperationKind::exit ||
            (op.kind == OperationKind::branch && op.target == end));
  };
  std::vector<bool> ended(operations.size());
  for (std::uint32_t i = 0; i <= end; ++i) ended[i] = ends(i);
  const auto meet_despite_returns = ptx::meetings_despite_returns(successors, ended);
  for (std::uint32_t i = 0; i < end; ++i) {
    const bool only_at_the_end = function_.is_entry && ends(meet[i]);
    code_->operations[i].reconverge = only_at_the_end ? meet_despite_returns[i] : meet[i];
  }
}

void Decoder::call(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take("uni");
  const auto& operands = instruction.operands;
  if (modifiers.left() || operands.size() < 3) refuse(instruction);
  CallUse use;
  const auto copies = [&](const Operand& list) {
    std::vector<CallUse::Copy> made;
    for (const Operand& operand : components(list)) {
      const auto* name = std::get_if<ptx::Symbol>(&operand.value);
      const auto area = name ? areas_.find(name->name) : areas_.end();
      if (area == areas_.end())
        refuse(instruction, "parameters of calls must be variables of .param space");
      made.push_back(area->second);
    }
    return made;
  };
  use.results = copies(operands[0]);
  use.arguments = copies(operands[2]);
  use.site = add_site(instruction, nullptr);
  const auto* name = std::get_if<ptx::Symbol>(&operands[1].value);
  if (name) {
    use.callee = program_.module().function(name->name);
    if (!use.callee || !use.callee->has_body) {
      const Execute provided = provided_function(name->name);
      if (!provided) refuse(instruction, why_not_provided(name->name));
      std::array<Slot, 6> slot{};
      if (!use.results.empty()) slot[0] = use.results[0].area;
      if (use.arguments.size() + 1 > slot.size()) refuse(instruction);
      for (std::size_t i = 0; i < use.arguments.size(); ++i) {
        if (use.arguments[i].bytes != 16) refuse(instruction);
        slot[i + 1] = use.arguments[i].area;
      }
      Operation& op = add(provided);
      op.slot = slot;
      op.immediate = use.site;
      code_->uses_heap = code_->uses_heap || name->name == "malloc" || name->name == "free";
      return;
    }
  } else {
    use.address = source(instruction, operands[1], 8);
  }
  Operation& op = add(nullptr, OperationKind::call);
  op.target = static_cast<std::uint32_t>(code_->calls.size());
  code_->calls.push_back(std::move(use));
}

} // namespace course::emulator
