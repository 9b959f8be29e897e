#include "judge/limits.hpp"

#include "judge/blame.hpp"
#include "judge/counts.hpp"
#include "judge/one_number.hpp"
#include "judge/which_execution.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace course::judge {
namespace {

using device::Observation;
using facts::Missing;

bool all_hold(const std::vector<Measure>& measures) {
  return std::all_of(measures.begin(), measures.end(), [](const Measure& m) { return m.holds(); });
}

// Of two measures, the first of loads and the second of stores: sectors of global memory, where
// atomics are stores, or passes of shared memory.
Share of_memory(model::Memory memory) {
  return [memory](const device::LineCounts& line, std::size_t measure) {
    const auto [of, direction] = line.kind.use();
    const bool global = memory == model::Memory::global;
    const bool stores =
        direction == model::Direction::store || (global && direction == model::Direction::atomic);
    const bool counted = measure == 0 ? direction == model::Direction::load : stores;
    // A tile in another block of the cluster is a tile, too (counts.cpp).
    const bool here = of == memory || (!global && of == model::Memory::remote);
    if (!here || !counted) return std::optional<std::uint64_t>();
    return std::optional(global ? line.sectors : std::max(line.ideal, line.requests));
  };
}

} // namespace

// ---- coalescing: sectors of global memory

namespace {

std::vector<Measure> sectors(const Execution& execution) {
  const auto counts = count(execution.observed), known = count(execution.observed, Rows::from_sass);
  const auto measure = [](const char* what, const Traffic& all, const Traffic& proven,
                          std::uint64_t high) {
    return Measure{what, all.sectors, 0, high, all.sectors - proven.sectors, all.at_least};
  };
  return {measure("sectors_loaded", counts.global_loads, known.global_loads,
                  execution.bounds.global_loads.sectors),
          measure("sectors_stored", counts.global_stores, known.global_stores,
                  execution.bounds.global_stores.sectors)};
}

void describe_sectors(Check& check, const Execution& execution) {
  const auto& [loaded, stored] = std::tie(check.measures[0], check.measures[1]);
  const bool stores = loaded.holds() && (!stored.holds() || stored.value > loaded.value);
  const auto counts = count(execution.observed);
  const auto& bounds = execution.bounds;
  check.facts = facts::Sectors{
      stores, (stores ? counts.global_stores : counts.global_loads).requests,
      (stores ? bounds.global_stores : bounds.global_loads).requests, bounds.elements};
  if (check.status != Status::failed) return;
  if (const auto* row = to_blame(execution.observed.lines, stores, check.measures[stores].high)) {
    check.place = {row->kernel, row->file, row->line};
    check.row = *row;
  }
}

} // namespace

Check check_coalescing(Executions executions) {
  const auto shown =
      choose(executions, [](const Execution& execution) { return !all_hold(sectors(execution)); });
  Check check = start(name_of(CheckKind::coalescing), executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (count(shown.execution->observed).global_requests() == 0)
    return nothing_to_look_at(check, Missing::no_global_memory);
  check.measures = sectors(*shown.execution);
  describe_sectors(check, *shown.execution);
  return unless_uncertain(check, executions, sectors, of_memory(model::Memory::global));
}

// ---- traffic: shared loads and stores per element

namespace {

// In units of 32 words, what bulk copies bring from global memory.
std::uint64_t copied_in(const Observation& observed) {
  constexpr int kUnit = 128;
  std::uint64_t units = 0;
  for (const auto& line : observed.lines) {
    const auto access = line.kind.access;
    if (access == model::RequestKind::bulk_global_load ||
        access == model::RequestKind::tensor_global_load)
      units += (line.bytes + kUnit - 1) / kUnit;
  }
  return units;
}

std::vector<Measure> traffic(const Execution& execution) {
  const auto counts = count(execution.observed), known = count(execution.observed, Rows::from_sass);
  const auto& bounds = execution.bounds;
  const auto measure = [](const char* what, const Traffic& all, const Traffic& proven,
                          const Range& range) {
    const auto uncertain = all.ideal - proven.ideal;
    return Measure{what, all.ideal, range.low, range.high, uncertain, all.at_least};
  };
  auto stores =
      measure("shared_stores", counts.shared_stores, known.shared_stores, bounds.shared_stores);
  // A tile that a bulk copy fills is filled, and no thread stores it.
  if (stores.value < stores.low)
    stores.value = std::min(stores.low, stores.value + copied_in(execution.observed));
  return {measure("shared_loads", counts.shared_loads, known.shared_loads, bounds.shared_loads),
          stores};
}

std::uint64_t blocks(const Observation& observed) {
  std::uint64_t all = 0;
  for (const auto& launch : observed.launches) all += launch.grid.count();
  return all;
}

// The line that moves most of what there is too much of; none where there is too little.
Place most_traffic(const device::Observation& observed, const Measure& loads,
                   const Measure& stores) {
  const bool loaded = loads.value > loads.high, stored = stores.value > stores.high;
  return place_of(heaviest(observed, [&](const device::LineCounts& line) {
    const auto [memory, direction] = line.kind.use();
    if (memory != model::Memory::shared) return std::uint64_t{0};
    const bool load = direction == model::Direction::load;
    return (load ? loaded : stored) ? line.ideal : std::uint64_t{0};
  }));
}

} // namespace

Check check_traffic(Executions executions) {
  // Too little traffic beside a wrong output is no way round the tile: part of the work is missing.
  const auto unfinished = [](const Execution& execution) {
    const auto measures = traffic(execution);
    const bool too_much = std::any_of(measures.begin(), measures.end(),
                                      [](const Measure& m) { return m.value > m.high; });
    return !execution.output.passed() && !too_much && !all_hold(measures);
  };
  const auto shown = choose(executions, [&](const Execution& execution) {
    return !all_hold(traffic(execution)) && !unfinished(execution);
  });
  Check check = start(name_of(CheckKind::traffic), executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (check.status == Status::passed &&
      std::any_of(executions.begin(), executions.end(), unfinished))
    return nothing_to_look_at(check, Missing::output_first);
  check.measures = traffic(*shown.execution);
  check.facts =
      facts::SharedTraffic{shown.execution->bounds.elements, blocks(shown.execution->observed)};
  if (check.status == Status::failed)
    check.place = most_traffic(shown.execution->observed, check.measures[0], check.measures[1]);
  return unless_uncertain(check, executions, traffic, of_memory(model::Memory::shared));
}

// ---- conflicts: passes of shared memory beyond the ideal

namespace {

std::vector<std::uint32_t> lines_with_conflicts(const Observation& observed) {
  std::vector<std::uint32_t> numbers;
  for (const auto& line : observed.lines)
    if (line.conflicts() > 0 && line.line > 0) numbers.push_back(line.line);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// The counts of the heaviest line: of the shape that the check names.
const device::LineCounts* most_conflicts(const Observation& observed) {
  const auto& lines = observed.lines;
  const auto most = std::ranges::max_element(lines, {}, &device::LineCounts::conflicts);
  return most != lines.end() && most->conflicts() > 0 ? &*most : nullptr;
}

void describe_conflicts(Check& check, const Execution& execution) {
  Traffic hit; // the lines with conflicts
  for (const auto& line : execution.observed.lines)
    if (line.conflicts() > 0) hit.add(line);
  check.facts =
      facts::Conflicts{count(execution.observed).shared_requests(), hit.requests, hit.wavefronts,
                       hit.ideal, lines_with_conflicts(execution.observed)};
  if (const auto* row = most_conflicts(execution.observed)) {
    check.place = {row->kernel, row->file, row->line};
    check.row = *row;
  }
}

} // namespace

Check check_conflicts(Executions executions) {
  const auto conflicts = [](const Execution& execution) {
    const auto counts = count(execution.observed);
    const auto known = count(execution.observed, Rows::from_sass);
    return Measure{"conflicts",
                   counts.conflicts,
                   0,
                   execution.bounds.conflicts,
                   counts.conflicts - known.conflicts,
                   counts.conflicts_at_least};
  };
  const auto shown =
      choose(executions, [&](const Execution& execution) { return !conflicts(execution).holds(); });
  Check check = start(name_of(CheckKind::conflicts), executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (count(shown.execution->observed).shared_requests() == 0)
    return nothing_to_look_at(check, Missing::no_shared_memory);
  check.measures = {conflicts(*shown.execution)};
  describe_conflicts(check, *shown.execution);
  return unless_uncertain(
      check, executions,
      [&](const Execution& execution) { return std::vector<Measure>{conflicts(execution)}; },
      [](const device::LineCounts& line, std::size_t) {
        const bool shared = line.kind.is_on(model::Memory::shared);
        const bool certain = line.width_from_sass && !line.conflicts_at_least;
        return shared && !certain ? std::optional(line.conflicts()) : std::nullopt;
      });
}

// ---- one number by name

namespace {

struct Metric {
  const char* name;
  facts::Unit unit;
  std::uint64_t Counts::*value;
};

constexpr Metric kMetrics[] = {
#define COURSE_CHECK(name, part, maker, shown, limits, ...)
#define COURSE_NUMBER(name, unit, ...) {#name, facts::Unit::unit, &Counts::name},
#include "judge/checks.def"
};

const Metric* metric_named(const std::string& name) {
  return std::find_if(std::begin(kMetrics), std::end(kMetrics),
                      [&](const Metric& known) { return known.name == name; });
}

} // namespace

std::optional<std::uint64_t> counted_number(const Counts& counts, const std::string& name) {
  const auto* metric = metric_named(name);
  return metric == std::end(kMetrics) ? std::nullopt : std::optional(counts.*metric->value);
}

Check check_counted(Executions executions, const std::string& name) {
  const auto* metric = metric_named(name);
  if (metric == std::end(kMetrics)) return unmeasured(name, Missing::unknown_number);

  Number number;
  number.measure = [&](const Execution& execution) {
    const auto& others = execution.bounds.others;
    const auto range = others.count(name) ? others.at(name) : Range{};
    const auto value = count(execution.observed).*metric->value;
    const auto known = count(execution.observed, Rows::from_sass).*metric->value;
    return Measure{name, value, range.low, range.high, value - known};
  };
  number.unit = metric->unit;
  if (check_kind(name) == CheckKind::replays)
    number.weight = [](const device::LineCounts& line) { return line.replays; };
  return check_number(name, executions, number);
}

Check impossible(const std::string& name, Missing why) {
  Check check = unmeasured(name, why);
  check.possible = false;
  return check;
}

std::vector<device::LineCounts> lines(Executions executions) {
  std::vector<device::LineCounts> all;
  for (const auto& execution : executions) {
    if (execution.seed != executions.front().seed) continue;
    const auto& rows = execution.observed.lines;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return merge(all);
}

} // namespace course::judge
