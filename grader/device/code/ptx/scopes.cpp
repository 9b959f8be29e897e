#include "device/code/ptx/scopes.hpp"

#include <algorithm>
#include <charconv>

namespace course::ptx {

bool Scopes::open() {
  if (open_.size() >= kDeepest) return false;
  const auto id = static_cast<std::uint32_t>(parent_.size());
  parent_.push_back(open_.empty() ? id : current());
  open_.push_back({});
  open_.back().id = id;
  return true;
}

void Scopes::close() {
  open_.pop_back();
}

bool Scopes::add_register(std::string_view name, std::uint32_t index) {
  return open_.back().names.emplace(name, Register{index}).second;
}

bool Scopes::add_registers(std::string_view prefix, std::uint32_t first, std::uint32_t count) {
  return open_.back().ranges.emplace(prefix, Range{first, count}).second;
}

bool Scopes::add_variable(std::string_view name, std::string_view unique) {
  return open_.back().names.emplace(name, std::string(unique)).second;
}

bool Scopes::add_label(std::string_view name, std::string_view unique) {
  return labels_.emplace(LabelKey{name, current()}, std::string(unique)).second;
}

std::string Scopes::unique(std::string_view name) {
  std::string result(name);
  std::uint32_t& uses = uses_[result];
  if (uses == 0 && module_.contains(name)) uses = 1;
  if (++uses > 1) {
    result += '@';
    result += std::to_string(uses);
  }
  return result;
}

// "%r12" in the range "%r<24>". A prefix may end in a digit, so each split of the digits is tried.
std::optional<Register> Scopes::in_range(const Scope& scope, std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t digits_begin = last == name.npos ? 0 : last + 1;
  constexpr std::size_t kMostDigits = 7;
  const std::size_t begin =
      std::max<std::size_t>({digits_begin, name.size() - std::min(name.size(), kMostDigits), 1});
  for (std::size_t split = begin; split < name.size(); ++split) {
    if (name[split] == '0' && split + 1 < name.size()) continue;
    const auto range = scope.ranges.find(name.substr(0, split));
    if (range == scope.ranges.end()) continue;
    std::uint32_t number = 0;
    std::from_chars(name.data() + split, name.data() + name.size(), number);
    if (number < range->second.count) return Register{range->second.first + number};
  }
  return std::nullopt;
}

std::optional<Scopes::Meaning> Scopes::find(std::string_view name) const {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const Scope& scope = open_[i];
    if (const auto found = scope.names.find(name); found != scope.names.end()) {
      if (const auto* reg = std::get_if<Register>(&found->second)) return *reg;
      return Symbol{std::get<std::string>(found->second), 0};
    }
    if (const auto reg = in_range(scope, name)) return *reg;
  }
  return std::nullopt;
}

const std::string* Scopes::find_label(std::string_view name, std::uint32_t from) const {
  for (std::uint32_t scope = from;; scope = parent_[scope]) {
    const auto label = labels_.find(LabelKey{name, scope});
    if (label != labels_.end()) return &label->second;
    if (parent_[scope] == scope) return nullptr;
  }
}

} // namespace course::ptx
