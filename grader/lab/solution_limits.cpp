#include "lab/solution_limits.hpp"

#include "lab/by_solution.hpp"
#include "lab/cost.hpp"
#include "lab/data_table.hpp"
#include "lab/drawn.hpp"
#include "lab/limit_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace course::lab {
namespace {

constexpr std::uint64_t kSeeds = 4;
constexpr std::size_t kFewestSizes = 3; // that a line has to go through

// One number of a limit, as data name it.
struct Part {
  const char* name; // "sectors"; "" where the limit is this number alone
  std::function<std::uint64_t(const judge::Bounds&)> of;
  bool least = false; // at least so many
};
struct Limit {
  std::string name;
  std::vector<Part> parts;
};

using judge::Bounds;

std::vector<Part> parts_of(std::uint64_t Bounds::*of) {
  return {{"", [of](const Bounds& bounds) { return bounds.*of; }}};
}
std::vector<Part> parts_of(judge::GlobalBound Bounds::*of) {
  return {{"requests", [of](const Bounds& bounds) { return (bounds.*of).requests; }},
          {"sectors", [of](const Bounds& bounds) { return (bounds.*of).sectors; }}};
}
std::vector<Part> parts_of(judge::Range Bounds::*of) {
  return {{"at_least", [of](const Bounds& bounds) { return (bounds.*of).low; }, true},
          {"at_most", [of](const Bounds& bounds) { return (bounds.*of).high; }}};
}
std::vector<Part> parts_of(judge::Cost Bounds::*of) {
  return {{"instructions", [of](const Bounds& bounds) { return once(bounds.*of).instructions; }},
          {"requests", [of](const Bounds& bounds) { return once(bounds.*of).requests; }}};
}
std::vector<Part> parts_of_number(const std::string& name) {
  return {{"", [name](const Bounds& bounds) {
             const auto found = bounds.others.find(name);
             return found == bounds.others.end() ? 0 : found->second.high;
           }}};
}

std::vector<Limit> limits_of(const std::string& check) {
  std::vector<Limit> limits;
  for (const auto& name : limits_of_check(check)) {
    auto& limit = limits.emplace_back(Limit{name, {}});
    if (!with_limit(name, [&](auto bound, auto) { limit.parts = parts_of(bound); }))
      limit.parts = parts_of_number(name);
  }
  return limits;
}

// An array's elements, as data have them.
struct Size {
  std::size_t operand;
  std::string formula;
};

std::vector<Size> sizes_of(const Exercise& exercise, const Table& table) {
  std::vector<Size> sizes;
  const auto data = table["data"].table();
  const auto& operands = exercise.cases.front().operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    auto elements = data[operands[i].name];
    if (elements && elements.is_table()) elements = elements.table()["elements"];
    if (elements && elements.is_text()) sizes.push_back({i, elements.text()});
  }
  return sizes;
}

struct Seen {
  double size, value;
};

bool is_near(double limit, const Seen& seen, bool least) {
  const double away = least ? seen.value - limit : limit - seen.value;
  return away >= 0 && away <= std::max(4.0, seen.value / 50);
}

// A line through what was seen, as a formula; "" where there is none.
std::string line_through(const std::vector<Seen>& all, const std::string& size, bool least) {
  const auto [first, last] = std::ranges::minmax_element(all, {}, &Seen::size);
  std::set<double> sizes;
  for (const auto& seen : all) sizes.insert(seen.size);
  if (sizes.size() < kFewestSizes) return {};
  const auto slope = (last->value - first->value) / (last->size - first->size);
  const auto written = fmt::format("{:.6g}", slope);
  const double by = std::stod(written);
  double beside =
      least ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
  for (const auto& seen : all)
    beside = least ? std::min(beside, std::floor(seen.value - by * seen.size))
                   : std::max(beside, std::ceil(seen.value - by * seen.size));
  const auto at = [&](double elements) {
    return std::max(0.0,
                    least ? std::floor(by * elements + beside) : std::ceil(by * elements + beside));
  };
  if (!std::ranges::all_of(all,
                           [&](const Seen& seen) { return is_near(at(seen.size), seen, least); }))
    return {};
  if (by == 0) return fmt::format("{}", std::max(0.0, beside));
  const auto rest =
      beside == 0 ? "" : fmt::format(" {} {}", beside < 0 ? '-' : '+', std::abs(beside));
  return fmt::format("\"{}({} * ({}){})\"", least ? "floor" : "ceil", written, size, rest);
}

// What the solution was seen to cost: each case has its limits.
struct Costs {
  std::vector<Case> cases;
  std::vector<Size> sizes;

  std::string formula(const Part& part) const {
    for (const auto& size : sizes) {
      std::vector<Seen> all;
      for (const auto& one : cases)
        all.push_back({static_cast<double>(one.operands[size.operand].elements),
                       static_cast<double>(part.of(one.bounds))});
      if (auto line = line_through(all, size.formula, part.least); !line.empty()) return line;
    }
    return {};
  }

  // In the cases that have this shape.
  std::string number(const Part& part, const judge::Shape& shape) const {
    std::vector<std::uint64_t> all;
    for (const auto& one : cases)
      if (one.shape == shape) all.push_back(part.of(one.bounds));
    return std::to_string(part.least ? std::ranges::min(all) : std::ranges::max(all));
  }
};

// "conflicts = 58", "global_loads = {requests = 192, sectors = 845}"; "" where `value` has none.
template <class Value>
std::string written(const Limit& limit, Value value) {
  std::vector<std::string> parts;
  for (const auto& part : limit.parts) {
    const std::string text = value(part);
    if (text.empty()) return {};
    parts.push_back(*part.name ? fmt::format("{} = {}", part.name, text) : text);
  }
  const auto joined = fmt::format("{}", fmt::join(parts, ", "));
  return *limit.parts[0].name ? fmt::format("{} = {{{}}}", limit.name, joined)
                              : fmt::format("{} = {}", limit.name, joined);
}

std::string block(const std::string& condition, const std::vector<std::string>& limits) {
  if (limits.empty()) return {};
  return fmt::format("\n[[solution_costs]]\nif = \"{}\"\nlimits = {{{}}}\n", condition,
                     fmt::join(limits, ", "));
}

// "rows == 64 && cols == 96"
std::string condition_of(const Table& shape) {
  std::vector<std::string> all;
  for (const auto& name : shape.keys())
    all.push_back(shape[name].evaluated(
        [&](const std::string& formula) { return fmt::format("{} == {}", name, formula); }));
  return fmt::format("{}", fmt::join(all, " && "));
}

std::string text_of(const std::vector<std::string>& asked, const Exercise& exercise,
                    const Costs& costs, const Table& table) {
  std::vector<Limit> limits, without;
  for (const auto& check : asked) std::ranges::move(limits_of(check), std::back_inserter(limits));
  std::vector<std::string> everywhere;
  for (const auto& limit : limits) {
    auto line = written(limit, [&](const Part& part) { return costs.formula(part); });
    if (line.empty()) {
      line = limit.name + " = false";
      without.push_back(limit);
    }
    everywhere.push_back(line);
  }
  auto text = block("1", everywhere);
  const auto named = table["shapes"].table()["named"].tables();
  for (std::size_t i = 0; i < named.size() && !without.empty(); ++i) {
    std::vector<std::string> here;
    for (const auto& limit : without)
      here.push_back(written(
          limit, [&](const Part& part) { return costs.number(part, exercise.cases[i].shape); }));
    text += block(condition_of(named[i]), here);
  }
  return text;
}

} // namespace

std::variant<std::string, judge::EndedBy> limits_as_data(const Exercise& exercise,
                                                         const Tools& tools) {
  const auto& asked = exercise.cases.front().by_solution;
  if (asked.empty() || is_answered_by_solution(exercise)) return std::string();
  Costs costs;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    auto cases = cases_of(exercise, seed);
    if (auto ended = ask_solution(exercise, cases, seed, tools)) return *ended;
    std::ranges::move(cases, std::back_inserter(costs.cases));
  }
  costs.sizes = sizes_of(exercise, *exercise.data);
  return text_of(asked, exercise, costs, *exercise.data);
}

} // namespace course::lab
