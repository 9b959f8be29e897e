#include "device/model/architecture.hpp"

namespace course::model {

const Architecture* architecture_named(std::string_view name) {
  for (const auto* one : architectures())
    if (one->name == name) return one;
  return nullptr;
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const auto* one : architectures()) names.emplace_back(one->name);
  return names;
}

int bank_of(const Architecture& architecture, std::uint32_t offset) {
  return static_cast<int>(offset / architecture.bank_unit) % architecture.banks;
}

} // namespace course::model
