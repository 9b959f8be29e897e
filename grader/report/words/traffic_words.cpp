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

TrafficUnit traffic_unit(const judge::facts::SharedTraffic& found,
                         const std::vector<Measure>& measures) {
  for (auto& unit : {an_element(found.elements), a_block(found.blocks)})
    if (says_all(unit, measures)) return unit;
  return in_all();
}

std::string limit_in(const TrafficUnit& unit, const Measure& measure) {
  const auto low = *unit.amount(measure.low);
  if (measure.high == Measure::kNoLimit) return "at least " + low;
  const auto high = *unit.amount(measure.high);
  return low == high ? low : low + " to " + high;
}

} // namespace

CheckWords traffic_words(const judge::Check& check, const judge::facts::SharedTraffic& found) {
  const auto &loads = check.measures[0], &stores = check.measures[1];
  const auto unit = traffic_unit(found, {loads, stores});
  const auto load_text = *unit.amount(loads.value), store_text = *unit.amount(stores.value);
  CheckWords words;
  words.what = load_text + (load_text == "1" ? " shared load and " : " shared loads and ") +
               store_text + (store_text == "1" ? " store" : " stores") + unit.of;
  const auto load_limit = limit_in(unit, loads), store_limit = limit_in(unit, stores);
  words.limit = load_limit == store_limit && load_limit != "1" ? load_limit
                                                               : load_limit + " and " + store_limit;
  if (check.status != judge::Status::failed) return words;
  const bool none = loads.value == 0 && stores.value == 0;
  words.message = none ? "shared memory is not used at all"
                       : "32-word units of shared memory: " + thousands(loads.value) + " loaded, " +
                             thousands(stores.value) + " stored, for " +
                             counted(found.elements, "element");
  return words;
}

} // namespace course::report
