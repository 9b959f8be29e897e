#include "lab/request_checks.hpp"

#include "judge/one_number.hpp"
#include "judge/which_execution.hpp"

#include <map>

namespace course::lab {
namespace {

using Of = std::uint64_t (*)(const device::LineCounts&);
using Limit = std::function<judge::Range(const judge::Bounds&)>;

std::uint64_t requests(const device::LineCounts& line) {
  return line.requests;
}
std::uint64_t passes(const device::LineCounts& line) {
  return line.wavefronts;
}
std::uint64_t conflicts(const device::LineCounts& line) {
  return line.conflicts();
}

bool is_of(const device::LineCounts& line, Kind kind) {
  const auto [memory, direction] = line.kind.use();
  const bool global = memory == model::Memory::global, shared = memory == model::Memory::shared;
  const bool loads = direction == model::Direction::load;
  switch (kind) {
  case Kind::global_memory:
    return global;
  case Kind::global_loads:
    return global && loads;
  case Kind::shared_memory:
    return shared;
  case Kind::shared_loads:
    return shared && loads;
  case Kind::shared_stores:
    return shared && !loads;
  case Kind::shared_stores_of_threads:
    return shared && !loads && line.kind.access != model::RequestKind::cp_async;
  case Kind::shared_atomics:
    return shared && direction == model::Direction::atomic;
  }
  return false;
}

// A number that lines have, summed over those of a kind.
judge::Measure measured(const std::string& name, const judge::Execution& execution, Kind kind,
                        Of of, judge::Range range) {
  const bool of_conflicts = of == conflicts;
  judge::Measure measure{name, 0, range.low, range.high};
  for (const auto& line : execution.observed.lines) {
    if (!is_of(line, kind)) continue;
    measure.value += of(line);
    measure.uncertain += line.width_from_sass ? 0 : of(line);
    const bool more = of_conflicts ? line.conflicts_at_least : line.at_least;
    measure.at_least = measure.at_least || more;
  }
  return measure;
}

judge::Range named_limit(const judge::Bounds& bounds, const std::string& name) {
  const auto found = bounds.others.find(name);
  return found == bounds.others.end() ? judge::Range{} : found->second;
}

CheckOf check(const std::string& name, judge::facts::Unit unit, Kind kind, Of of,
              const Limit& limit) {
  judge::Number number;
  number.weight = [=](const device::LineCounts& line) { return is_of(line, kind) ? of(line) : 0; };
  number.counts = [=](const device::LineCounts& line) { return is_of(line, kind); };
  number.measure = [=](const judge::Execution& execution) {
    return measured(name, execution, kind, of, limit(execution.bounds));
  };
  number.unit = unit;
  return
      [=](judge::Executions executions) { return judge::check_number(name, executions, number); };
}

} // namespace

std::optional<Kind> kind_named(const std::string& name) {
  static const std::map<std::string, Kind> kinds = {
      {"global_memory", Kind::global_memory},
      {"global_loads", Kind::global_loads},
      {"shared_memory", Kind::shared_memory},
      {"shared_loads", Kind::shared_loads},
      {"shared_stores", Kind::shared_stores},
      {"shared_stores_of_threads", Kind::shared_stores_of_threads},
      {"shared_atomics", Kind::shared_atomics}};
  const auto found = kinds.find(name);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

CheckOf requests_within(const std::string& name, Kind kind) {
  return check(name, judge::facts::Unit::requests, kind, requests,
               [name](const judge::Bounds& bounds) { return named_limit(bounds, name); });
}

CheckOf passes_within(const std::string& name, Kind kind) {
  return check(name, judge::facts::Unit::passes, kind, passes,
               [name](const judge::Bounds& bounds) { return named_limit(bounds, name); });
}

CheckOf both(CheckOf one, CheckOf other) {
  return [one = std::move(one), other = std::move(other)](judge::Executions executions) {
    auto check = one(executions);
    if (check.status != judge::Status::passed) return check;
    auto second = other(executions);
    if (second.status != judge::Status::failed) return check;
    second.name = check.name;
    return second;
  };
}

CheckOf conflicts_within(const std::string& name, Kind kind) {
  return check(name, judge::facts::Unit::conflicts, kind, conflicts,
               [](const judge::Bounds& bounds) {
                 return judge::Range{0, bounds.conflicts};
               });
}

CheckOf conflicts_exactly(const std::string& name, Kind kind, const std::string& where) {
  const auto measure = [=](const judge::Execution& execution) {
    return measured(name, execution, kind, conflicts, named_limit(execution.bounds, name));
  };
  return [=](judge::Executions executions) {
    const auto shown = judge::choose(
        executions, [&](const judge::Execution& execution) { return !measure(execution).holds(); });
    auto check = judge::start(name, executions, shown);
    if (check.status == judge::Status::not_measured) return check;
    check.measures = {measure(*shown.execution)};
    check.facts = judge::facts::ExactConflicts{where};
    return judge::unless_uncertain(
        check, executions,
        [&](const judge::Execution& execution) {
          return std::vector<judge::Measure>{measure(execution)};
        },
        [=](const device::LineCounts& line, std::size_t) {
          return is_of(line, kind) ? std::optional(conflicts(line)) : std::nullopt;
        });
  };
}

} // namespace course::lab
