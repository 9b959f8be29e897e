#include "report/words/traffic_words.hpp"

#include "report/words/numbers.hpp"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace course::report {
namespace {

using judge::Measure;

// What shared traffic is counted in: the first of these that says all its numbers exactly.
struct TrafficUnit {
  enum class Of { element, block, words } of{};
  std::function<std::optional<std::string>(std::uint64_t)> amount; // of so many units of 32 words
};

constexpr std::uint64_t kMostAnElement = 16; // words; above it a person counts by the block

TrafficUnit an_element(std::uint64_t elements) {
  return {TrafficUnit::Of::element, [elements](std::uint64_t units) -> std::optional<std::string> {
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
  return {TrafficUnit::Of::block, [blocks](std::uint64_t units) -> std::optional<std::string> {
            if (blocks == 0 || units % blocks != 0) return std::nullopt;
            return thousands(units / blocks);
          }};
}

TrafficUnit in_all() {
  return {TrafficUnit::Of::words,
          [](std::uint64_t units) { return std::optional(thousands(units)); }};
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

TrafficUnit traffic_unit(const judge::facts::SharedTraffic& found,
                         const std::vector<Measure>& measures) {
  for (auto& unit : {an_element(found.elements), a_block(found.blocks)})
    if (says_all(unit, measures)) return unit;
  return in_all();
}

std::string limit_in(const TrafficUnit& unit, const Measure& measure) {
  const auto low = *unit.amount(measure.low);
  if (measure.high == Measure::kNoLimit) return tr("at least {}", low);
  const auto high = *unit.amount(measure.high);
  return low == high ? low : tr("{} to {}", low, high);
}

std::string in_unit(TrafficUnit::Of unit, const std::string& loads, const std::string& stores) {
  // Singular by the text: "0.5" is neither.
  const std::uint64_t of_loads = loads == "1" ? 1 : 2, of_stores = stores == "1" ? 1 : 2;
  const auto loaded = trn("{} shared load", "{} shared loads", of_loads, loads);
  const auto stored = trn("{} store", "{} stores", of_stores, stores);
  switch (unit) {
  case TrafficUnit::Of::element:
    return tr("{} and {} an element", loaded, stored);
  case TrafficUnit::Of::block:
    return tr("{} and {} a block", loaded, stored);
  case TrafficUnit::Of::words:
    break;
  }
  return tr("{} and {} of 32 words", loaded, stored);
}

} // namespace

CheckWords traffic_words(const judge::Check& check, const judge::facts::SharedTraffic& found) {
  const auto &loads = check.measures[0], &stores = check.measures[1];
  const auto unit = traffic_unit(found, {loads, stores});
  CheckWords words;
  words.what = in_unit(unit.of, *unit.amount(loads.value), *unit.amount(stores.value));
  const auto load_limit = limit_in(unit, loads), store_limit = limit_in(unit, stores);
  words.limit = load_limit == store_limit && load_limit != "1"
                    ? load_limit
                    : trc("two limits", "{} and {}", load_limit, store_limit);
  if (check.status != judge::Status::failed) return words;
  const bool none = loads.value == 0 && stores.value == 0;
  words.message = none ? tr("shared memory is not used at all")
                       : tr("32-word units of shared memory: {} loaded, {} stored, for {}",
                            thousands(loads.value), thousands(stores.value),
                            counted(found.elements, "{} element", "{} elements"));
  return words;
}

} // namespace course::report
