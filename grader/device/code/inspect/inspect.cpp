#include "device/code/ptx/parse.hpp"
#include "device/code/sass/resources.hpp"
#include "device/module_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace course::device {
namespace {

std::uint32_t saturated(std::uint64_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

// The static shared memory that PTX declares in what a kernel can reach by name, for modules that
// come without a cubin. Each array is counted once, at its alignment.
class SharedBytes {
public:
  explicit SharedBytes(const ptx::Module& module) {
    for (const ptx::Function& function : module.functions) functions_[function.name] = &function;
    for (const ptx::Variable& variable : module.variables) {
      if (variable.space == ptx::Space::shared) variables_[variable.name] = &variable;
    }
  }

  std::uint32_t of(const ptx::Function& kernel) {
    end_ = 0;
    seen_.clear();
    pending_ = {&kernel};
    while (!pending_.empty()) {
      const ptx::Function* function = pending_.back();
      pending_.pop_back();
      visit(*function);
    }
    return saturated(end_);
  }

private:
  void visit(const ptx::Function& function) {
    for (const ptx::Variable& variable : function.variables) add(variable);
    for (const ptx::Instruction& instruction : function.body) {
      for (const ptx::Operand& operand : instruction.operands) {
        if (const auto* symbol = std::get_if<ptx::Symbol>(&operand.value)) name(symbol->name);
        if (const auto* memory = std::get_if<ptx::Memory>(&operand.value)) {
          if (const auto* symbol = std::get_if<ptx::Symbol>(&memory->base)) name(symbol->name);
        }
      }
    }
  }
  void name(const std::string& symbol) {
    if (!functions_.contains(symbol) && !variables_.contains(symbol)) return;
    if (!seen_.insert(symbol).second) return;
    if (const auto function = functions_.find(symbol); function != functions_.end()) {
      pending_.push_back(function->second);
    } else {
      add(*variables_.at(symbol));
    }
  }
  void add(const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared || variable.is_extern) return;
    const std::uint64_t align = std::max<std::uint32_t>(variable.align, 1);
    end_ = (end_ + align - 1) / align * align + variable.size;
  }

  std::map<std::string, const ptx::Function*> functions_;
  std::map<std::string, const ptx::Variable*> variables_;
  std::set<std::string> seen_;
  std::vector<const ptx::Function*> pending_;
  std::uint64_t end_ = 0;
};

KernelInfo kernel_info(const ptx::Function& entry) {
  KernelInfo info;
  info.name = entry.name;
  info.parameter_offsets = ptx::parameter_offsets(entry);
  info.argument_bytes = info.parameter_offsets.back();
  info.parameter_offsets.pop_back();
  for (const ptx::Variable& parameter : entry.parameters) {
    info.parameter_sizes.push_back(saturated(parameter.size));
  }
  info.max_threads = entry.required_threads.value_or(entry.max_threads.value_or(0));
  return info;
}

} // namespace

ModuleInfo inspect(const Module& module) {
  ModuleInfo info;
  auto parsed = ptx::parse(module.ptx);
  if (const auto* error = std::get_if<ptx::ParseError>(&parsed)) {
    info.error = fmt::format("line {} of the PTX cannot be read: {}: {}", error->ptx_line,
                             error->message, error->excerpt);
    return info;
  }
  const auto& tree = std::get<ptx::Module>(parsed);
  const auto resources = sass::resources(module.cubin);
  SharedBytes shared(tree);
  for (const ptx::Function& function : tree.functions) {
    if (!function.is_entry) continue;
    KernelInfo kernel = kernel_info(function);
    if (const auto known = resources.find(function.name); known != resources.end()) {
      kernel.registers = known->second.registers;
      kernel.local = known->second.stack;
      kernel.static_shared = known->second.shared;
    } else {
      kernel.static_shared = shared.of(function);
    }
    info.kernels.push_back(std::move(kernel));
  }
  for (const ptx::Variable& variable : tree.variables) {
    const bool constant = variable.space == ptx::Space::constant;
    if (!constant && variable.space != ptx::Space::global) continue;
    info.symbols.push_back({variable.name, variable.size, constant});
  }
  return info;
}

} // namespace course::device
