#include "device/removed.hpp"

#include "device/code/inspect/declarations.hpp"
#include "device/code/inspect/display_name.hpp"
#include "device/code/inspect/variable_name.hpp"
#include "device/code/ptx/parse.hpp"

#include <algorithm>

namespace course::device {
namespace {

using namespace course::code;

// "row_row" of "lab::row_row<32>".
std::string plain_name(const std::string& kernel) {
  const auto name = display_name(kernel);
  const auto base = name.substr(0, name.find('<'));
  const auto scope = base.rfind("::");
  return scope == base.npos ? base : base.substr(scope + 2);
}

// Of a variable that a function of that name declares: mangled names count letters, "7row_row".
bool is_of(const std::string& mangled, const std::string& kernel) {
  return mangled.find(std::to_string(kernel.size()) + kernel) != mangled.npos;
}

} // namespace

std::vector<RemovedArray> removed_arrays(const Module& module) {
  const Declarations declared(module.source);
  if (declared.shared().empty()) return {};
  auto parsed = ptx::parse(module.ptx);
  const auto* tree = std::get_if<ptx::Module>(&parsed);
  if (!tree) return {};
  std::vector<const ptx::Variable*> kept;
  const auto keep = [&](const std::vector<ptx::Variable>& variables) {
    for (const auto& variable : variables)
      if (variable.space == ptx::Space::shared) kept.push_back(&variable);
  };
  keep(tree->variables);
  std::vector<std::string> kernels;
  for (const auto& function : tree->functions) {
    keep(function.variables);
    if (function.is_entry) kernels.push_back(plain_name(function.name));
  }
  std::vector<RemovedArray> removed;
  for (const auto& array : declared.shared()) {
    const bool compiled = std::ranges::find(kernels, array.kernel) != kernels.end();
    const bool there = std::ranges::any_of(kept, [&](const ptx::Variable* variable) {
      return variable_name(variable->name) == array.name && is_of(variable->name, array.kernel);
    });
    if (compiled && !there) removed.push_back({array.kernel, array.name, array.line});
  }
  return removed;
}

} // namespace course::device
