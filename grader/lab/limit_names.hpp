// The limits of an exercise by the names that its data call them.
#pragma once

#include "judge/counts.hpp"
#include "judge/execution.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace course::lab {

// What a check is held against: as judge/checks.def has it, or else the limit of its own name.
inline std::vector<std::string> limits_of_check(const std::string& check) {
  auto left = judge::known(judge::check_kind(check)).limits;
  if (left.empty()) return {check};
  std::vector<std::string> names;
  for (std::size_t end = 0; end != left.npos; left.remove_prefix(end + 1)) {
    end = left.find(' ');
    names.emplace_back(left.substr(0, end));
    if (end == left.npos) break;
  }
  return names;
}

// What a kernel cost, as its limit says it.
inline judge::Cost cost_of(const judge::Counts& counts) {
  return {counts.instructions, counts.shared_requests() + counts.global_requests()};
}

// Calls `use(bound, counted)` with the member of judge::Bounds that has the name, and what is held
// against it: a member of judge::Counts, or a function of them. False: there is none of that name,
// and it is a number of Bounds::others.
template <class Use>
bool with_limit(std::string_view name, Use use) {
  using judge::Bounds, judge::Counts;
  const auto is = [&](std::string_view known, auto bound, auto counted) {
    if (known == name) use(bound, counted);
    return known == name;
  };
  return is("conflicts", &Bounds::conflicts, &Counts::conflicts) ||
         is("shared_loads", &Bounds::shared_loads, &Counts::shared_loads) ||
         is("shared_stores", &Bounds::shared_stores, &Counts::shared_stores) ||
         is("global_loads", &Bounds::global_loads, &Counts::global_loads) ||
         is("global_stores", &Bounds::global_stores, &Counts::global_stores) ||
         is("cost", &Bounds::cost, cost_of);
}

} // namespace course::lab
