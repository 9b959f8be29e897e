#include "judge/limits.hpp"

#include "judge/blame.hpp"
#include "judge/counts.hpp"
#include "judge/numbers.hpp"
#include "judge/one_number.hpp"
#include "judge/shown.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace course::judge {
namespace {

using device::Observation;

bool all_hold(const std::vector<Measure>& measures) {
  return std::all_of(measures.begin(), measures.end(), [](const Measure& m) { return m.holds(); });
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

// Sectors a request where requests are the solution's, in number; otherwise in all.
void describe_sectors(Check& check, const Execution& execution) {
  const auto& [loaded, stored] = std::tie(check.measures[0], check.measures[1]);
  const bool stores = loaded.holds() && (!stored.holds() || stored.value > loaded.value);
  const auto& measure = check.measures[stores];
  const auto counts = count(execution.observed);
  const auto requests = (stores ? counts.global_stores : counts.global_loads).requests;
  const auto& bounds = execution.bounds;
  if (requests > 0 && requests == (stores ? bounds.global_stores : bounds.global_loads).requests) {
    std::tie(check.observed, check.limit) = apart(measure.value, measure.high, requests);
    check.observed += " sectors a request";
  } else {
    check.observed = counted(measure.value, "sector") + (stores ? " stored" : " loaded");
    check.limit = thousands(measure.high);
  }
  if (check.status != Status::failed) return;
  if (const auto* row = to_blame(execution.observed.lines, stores, measure.high)) {
    check.place = {row->kernel, row->file, row->line};
    check.row = *row;
  }
  check.observed += on_line(check.place);
  check.message = counted(requests, "request") + (stores ? " to store" : " to load") + ", for " +
                  counted(execution.bounds.elements, "element") + ", touched " +
                  counted(measure.value, "sector") + "; " + thousands(measure.high) + " would do";
}

} // namespace

Check check_coalescing(Executions executions) {
  const auto shown =
      choose(executions, [](const Execution& execution) { return !all_hold(sectors(execution)); });
  Check check = start("coalescing", executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (count(shown.execution->observed).global_requests() == 0)
    return nothing_to_look_at(check, "no global memory is touched");
  check.measures = sectors(*shown.execution);
  describe_sectors(check, *shown.execution);
  return unless_uncertain(check, executions, sectors);
}

// ---- traffic: shared loads and stores an element

namespace {

std::vector<Measure> traffic(const Execution& execution) {
  const auto counts = count(execution.observed), known = count(execution.observed, Rows::from_sass);
  const auto& bounds = execution.bounds;
  const auto measure = [](const char* what, const Traffic& all, const Traffic& proven,
                          const Range& range) {
    const auto uncertain = all.ideal - proven.ideal;
    return Measure{what, all.ideal, range.low, range.high, uncertain, all.at_least};
  };
  return {
      measure("shared_loads", counts.shared_loads, known.shared_loads, bounds.shared_loads),
      measure("shared_stores", counts.shared_stores, known.shared_stores, bounds.shared_stores)};
}

// What shared traffic is counted in: the first of these that says all its numbers exactly.
struct TrafficUnit {
  std::string of;                                                  // " an element"
  std::function<std::optional<std::string>(std::uint64_t)> amount; // of so many units of 32 words
};

constexpr std::uint64_t kMostAnElement = 16; // words; above it a person counts by the block

TrafficUnit an_element(std::uint64_t elements) {
  return {" an element", [elements](std::uint64_t units) -> std::optional<std::string> {
            if (elements == 0) return std::nullopt;
            const auto words = units * 32;
            if (words <= elements + 31 && words >= elements) return "1"; // whole but for the last
            if (words * 4 % elements != 0) return std::nullopt;          // quarters, at the least
            if (words > kMostAnElement * elements) return std::nullopt; // few elements, whole warps
            return words % elements == 0 ? thousands(words / elements)
                                         : decimal(words, elements, words * 2 % elements ? 2 : 1);
          }};
}

TrafficUnit a_block(std::uint64_t blocks) {
  return {" a block", [blocks](std::uint64_t units) -> std::optional<std::string> {
            if (blocks == 0 || units % blocks != 0) return std::nullopt;
            return thousands(units / blocks);
          }};
}

TrafficUnit in_all() {
  return {" of 32 words", [](std::uint64_t units) { return std::optional(thousands(units)); }};
}

std::vector<std::uint64_t> numbers_of(const Measure& measure) {
  std::vector<std::uint64_t> numbers{measure.value, measure.low};
  if (measure.high != Measure::kNoLimit) numbers.push_back(measure.high);
  return numbers;
}

// Two numbers that differ must not read the same.
bool says_all(const TrafficUnit& unit, const std::vector<Measure>& measures) {
  for (const auto& measure : measures) {
    std::map<std::string, std::uint64_t> said;
    for (const auto number : numbers_of(measure)) {
      const auto text = unit.amount(number);
      if (!text || said.try_emplace(*text, number).first->second != number) return false;
    }
  }
  return true;
}

TrafficUnit traffic_unit(const Execution& execution, const std::vector<Measure>& measures) {
  std::uint64_t blocks = 0;
  for (const auto& launch : execution.observed.launches) blocks += launch.grid.count();
  for (auto& unit : {an_element(execution.bounds.elements), a_block(blocks)})
    if (says_all(unit, measures)) return unit;
  return in_all();
}

std::string limit_in(const TrafficUnit& unit, const Measure& measure) {
  const auto low = *unit.amount(measure.low);
  if (measure.high == Measure::kNoLimit) return "at least " + low;
  const auto high = *unit.amount(measure.high);
  return low == high ? low : low + " to " + high;
}

// The line that moves most of what there is too much of; none where there is too little.
Place most_traffic(const device::Observation& observed, const Measure& loads,
                   const Measure& stores) {
  const bool loaded = loads.value > loads.high, stored = stores.value > stores.high;
  return heaviest(observed, [&](const device::LineCounts& line) {
    const auto kind = access(line.access);
    if (!kind || kind->space != Space::shared) return std::uint64_t{0};
    const bool load = kind->direction == Direction::load;
    return (load ? loaded : stored) ? line.ideal : std::uint64_t{0};
  });
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
  Check check = start("traffic", executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (check.status == Status::passed &&
      std::any_of(executions.begin(), executions.end(), unfinished))
    return nothing_to_look_at(check, "the output comes first");
  check.measures = traffic(*shown.execution);
  const auto elements = shown.execution->bounds.elements;
  const auto& [loads, stores] = std::tie(check.measures[0], check.measures[1]);
  const auto unit = traffic_unit(*shown.execution, {loads, stores});
  const auto load_text = *unit.amount(loads.value), store_text = *unit.amount(stores.value);
  check.observed = load_text + (load_text == "1" ? " shared load and " : " shared loads and ") +
                   store_text + (store_text == "1" ? " store" : " stores") + unit.of;
  const auto load_limit = limit_in(unit, loads), store_limit = limit_in(unit, stores);
  check.limit = load_limit == store_limit && load_limit != "1" ? load_limit
                                                               : load_limit + " and " + store_limit;
  if (check.status == Status::failed) {
    const bool none = loads.value == 0 && stores.value == 0;
    check.message = none ? "shared memory is not used at all"
                         : "32-word units of shared memory: " + thousands(loads.value) +
                               " loaded, " + thousands(stores.value) + " stored, for " +
                               counted(elements, "element");
    check.place = most_traffic(shown.execution->observed, loads, stores);
    check.observed += on_line(check.place);
  }
  return unless_uncertain(check, executions, traffic);
}

// ---- conflicts: passes of shared memory beyond the ideal

namespace {

std::string conflict_lines(const Observation& observed) {
  std::vector<std::uint32_t> numbers;
  for (const auto& line : observed.lines) {
    if (line.conflicts() > 0 && line.line > 0) numbers.push_back(line.line);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.empty()) return "";
  if (numbers.size() == 1) return ", on line " + std::to_string(numbers[0]);
  if (numbers.size() > 2) return ", on " + std::to_string(numbers.size()) + " lines";
  return ", on lines " + std::to_string(numbers[0]) + " and " + std::to_string(numbers[1]);
}

// The counts of the heaviest line: of the shape that the check names.
const device::LineCounts* most_conflicts(const Observation& observed) {
  const auto& lines = observed.lines;
  const auto most = std::ranges::max_element(lines, {}, &device::LineCounts::conflicts);
  return most != lines.end() && most->conflicts() > 0 ? &*most : nullptr;
}

void describe_conflicts(Check& check, const Execution& execution) {
  const auto& measure = check.measures[0];
  Traffic hit; // the lines with conflicts
  for (const auto& line : execution.observed.lines) {
    if (line.conflicts() > 0) hit.add(line);
  }
  if (hit.requests == 0) {
    check.observed = "none in " + counted(count(execution.observed).shared_requests(), "request");
    return;
  }
  check.observed = measure.high == 0 ? ratio(measure.value, hit.requests) + " a request"
                                     : thousands(measure.value);
  check.observed += conflict_lines(execution.observed);
  if (const auto* row = most_conflicts(execution.observed)) {
    check.place = {row->kernel, row->file, row->line};
    check.row = *row;
  }
  check.message = counted(hit.requests, "request") + " took " +
                  counted(hit.wavefronts, "pass", "passes") + "; " + thousands(hit.ideal) +
                  " would do";
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
                   counts.conflicts_at_least()};
  };
  const auto shown =
      choose(executions, [&](const Execution& execution) { return !conflicts(execution).holds(); });
  Check check = start("conflicts", executions, shown);
  if (!shown.execution || check.status == Status::not_measured) return check;
  if (count(shown.execution->observed).shared_requests() == 0)
    return nothing_to_look_at(check, "no shared memory is touched");
  check.measures = {conflicts(*shown.execution)};
  check.limit = thousands(shown.execution->bounds.conflicts);
  describe_conflicts(check, *shown.execution);
  return unless_uncertain(check, executions, [&](const Execution& execution) {
    return std::vector<Measure>{conflicts(execution)};
  });
}

// ---- one number by name

namespace {

struct Metric {
  const char* name;
  const char* noun;
  std::uint64_t Counts::*value;
};

constexpr Metric kMetrics[] = {
    {"threads", "thread", &Counts::threads},
    {"launches", "launch", &Counts::launches},
    {"shared_bytes", "byte a block", &Counts::shared_bytes},
    {"barriers", "barrier", &Counts::barriers},
    {"instructions", "instruction", &Counts::instructions},
    {"shuffles", "shuffle", &Counts::shuffles},
    {"replays", "replay", &Counts::replays},
};

std::string amount(const Metric& metric, std::uint64_t value) {
  const std::string noun = metric.noun;
  if (noun == "launch") return counted(value, noun, "launches");
  if (noun == "byte a block") return counted(value, noun, "bytes a block");
  return counted(value, noun);
}

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
  if (metric == std::end(kMetrics)) return unmeasured(name, "no number of that name is counted");

  Number number;
  number.measure = [&](const Execution& execution) {
    const auto& others = execution.bounds.others;
    const auto range = others.count(name) ? others.at(name) : Range{};
    const auto value = count(execution.observed).*metric->value;
    const auto known = count(execution.observed, Rows::from_sass).*metric->value;
    return Measure{name, value, range.low, range.high, value - known};
  };
  number.words = [&](std::uint64_t value) { return amount(*metric, value); };
  number.in_all = name != "shared_bytes";
  if (name == "replays")
    number.weight = [](const device::LineCounts& line) { return line.replays; };
  return check_number(name, executions, number);
}

Check impossible(const std::string& name, const std::string& why) {
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
