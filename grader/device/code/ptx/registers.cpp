#include "device/code/ptx/registers.hpp"

namespace course::ptx {
namespace {

void add(const Operand& operand, std::vector<Register>& all) {
  if (const auto* reg = std::get_if<Register>(&operand.value)) all.push_back(*reg);
  if (const auto* memory = std::get_if<Memory>(&operand.value)) {
    if (const auto* base = std::get_if<Register>(&memory->base)) all.push_back(*base);
    for (const Operand& part : memory->coordinates) add(part, all);
  }
  if (const auto* vector = std::get_if<Vector>(&operand.value))
    for (const Operand& part : vector->elements) add(part, all);
  if (const auto* pair = std::get_if<PredicatePair>(&operand.value)) {
    if (pair->first) all.push_back(*pair->first);
    if (pair->second) all.push_back(*pair->second);
  }
}

bool has_result(const Instruction& instruction) {
  return instruction.row->results != Results::none && !instruction.operands.empty() &&
         !std::holds_alternative<Memory>(instruction.operands[0].value);
}

} // namespace

std::vector<Register> results(const Instruction& instruction) {
  std::vector<Register> all;
  if (has_result(instruction)) add(instruction.operands[0], all);
  return all;
}

std::vector<Register> sources(const Instruction& instruction) {
  std::vector<Register> all;
  if (instruction.guard) all.push_back(instruction.guard->predicate);
  const bool adds = instruction.row->results == Results::added;
  for (std::size_t i = has_result(instruction) && !adds ? 1 : 0; i < instruction.operands.size();
       ++i)
    add(instruction.operands[i], all);
  return all;
}

} // namespace course::ptx
