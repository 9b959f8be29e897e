// How each instruction treats undefined bits, by its row of the table of instructions and its Form.
#include "device/emulator/check/undefined.hpp"

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/instruction_set.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace course::emulator {
namespace {

// What arithmetic an operation is: the first name, of all that mean the same.
struct Named {
  std::string name;
  const Form* form = nullptr;
};
const std::unordered_map<Execute, Named>& named_forms() {
  static const std::unordered_map<Execute, Named> all = [] {
    std::unordered_map<Execute, Named> made;
    for (const auto& [name, form] : forms().all()) {
      Named& named = made[form.versions.best()];
      if (named.name.empty() || name < named.name) named = {name, &form};
    }
    return made;
  }();
  return all;
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const auto end = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_integer(std::string_view type) {
  const auto bits = type.size() < 2 ? std::string_view() : type.substr(1);
  return (type[0] == 'u' || type[0] == 's' || type[0] == 'b') &&
         (bits == "8" || bits == "16" || bits == "32" || bits == "64");
}

} // namespace

Undefined::Step Undefined::made_step(const Code& code, const Operation& op) {
  Step step;
  const auto at = code.instruction[static_cast<std::size_t>(&op - code.operations.data())];
  if (at >= code.function->body.size()) return step;
  const ptx::Instruction& instruction = code.function->body[at];
  using C = ptx::Class;
  const C kind = instruction.row->kind;
  const bool moves = kind == C::load || kind == C::store;
  const bool followed = moves || kind == C::compute || kind == C::branch || kind == C::leave ||
                        kind == C::shuffle || kind == C::vote || kind == C::call;
  step.sinks = (!followed || kind == C::call) && op.counted;
  if (op.kind == OperationKind::branch || op.kind == OperationKind::indirect_branch) {
    step.rule = Rule::branch;
    return step;
  }
  if (op.kind != OperationKind::lanes) return step;
  if (moves && op.access && op.execute == memory_operation(*op.access)) {
    step.rule = kind == C::load ? Rule::load : Rule::store;
    return step;
  }
  const auto found = named_forms().find(op.execute);
  if (found == named_forms().end()) {
    if (kind != C::compute) return step;
    const bool moves_parts = instruction.row->opcode == ptx::Opcode::mov;
    const auto is_vector = [&](std::size_t i) {
      return i < instruction.operands.size() &&
             std::holds_alternative<ptx::Vector>(instruction.operands[i].value);
    };
    if (moves_parts && is_vector(1))
      step.rule = Rule::pack;
    else if (moves_parts && is_vector(0))
      step.rule = Rule::unpack;
    else
      step.sinks = op.counted;
    return step;
  }

  const Named& named = found->second;
  step.letters = named.form->operands;
  step.carries = named.form->carries;
  step.pair = named.form->pair;
  step.rule = Rule::all;
  if (step.carries) return step;
  const std::vector<std::string> parts = split(named.name);
  const std::string& type = parts.back();
  const auto has = [&](std::string_view part) {
    return std::find(parts.begin() + 1, parts.end(), part) != parts.end();
  };
  step.is_signed = type[0] == 's';
  const bool integers = std::all_of(parts.begin() + 1, parts.end(), is_integer);
  const auto moved = [&](std::uint8_t data) {
    step.rule = Rule::moved;
    step.data = data;
  };
  using O = ptx::Opcode;
  switch (ptx::row_of(parts[0], std::span(parts).subspan(1)).opcode) {
  case O::mov:
  case O::not_:
    step.rule = Rule::same;
    break;
  case O::and_:
    step.rule = Rule::logical_and;
    break;
  case O::or_:
    step.rule = Rule::logical_or;
    break;
  case O::xor_:
    step.rule = Rule::logical_xor;
    break;
  case O::lop3:
    if (step.letters.size() == 5) step.rule = Rule::table;
    break;
  case O::selp:
    step.rule = Rule::select;
    break;
  case O::shl:
  case O::shr:
  case O::bfe:
  case O::brev:
    moved(1u << 1);
    break;
  case O::unknown: // what extends a value to its register
  case O::cvt:
    if (integers) moved(1u << 1);
    break;
  case O::bfi:
  case O::prmt:
  case O::shf:
    moved(1u << 1 | 1u << 2);
    break;
  case O::add:
  case O::sub:
  case O::neg:
    if (integers) step.rule = Rule::upward;
    break;
  case O::mul:
  case O::mad:
    if ((has("lo") || has("wide")) && is_integer(type)) step.rule = Rule::upward;
    break;
  case O::setp: {
    step.rule = Rule::compare;
    const bool equal = parts[1] == "eq" || parts[1] == "ne";
    step.comparison = !is_integer(type) ? 0 : equal ? '=' : '<';
    step.combined = has("and") ? '&' : has("or") ? '|' : '^';
    break;
  }
  default:
    break;
  }
  return step;
}

const Undefined::Step& Undefined::step_of(const Code& code, const Operation& op) {
  if (code_ != &code) {
    code_ = &code;
    steps_of_code_ = &steps_[&code];
    steps_of_code_->resize(code.operations.size());
  }
  auto& step = (*steps_of_code_)[static_cast<std::size_t>(&op - code.operations.data())];
  if (!step) step = made_step(code, op);
  return *step;
}

} // namespace course::emulator
