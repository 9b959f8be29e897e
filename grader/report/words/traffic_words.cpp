#include "report/words/traffic_words.hpp"

#include "report/words/numbers.hpp"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace course::report {
namespace {

using judge::Measure;

struct Amount {
  std::string text;
  bool is_one = false; // and singular: 0.5 is not
};

// What shared traffic is counted in: the first of these that says all its numbers exactly.
struct TrafficUnit {
  enum class Of { element, block, words } of{};
  std::function<std::optional<Amount>(std::uint64_t)> amount; // of so many units of 32 words
};

Amount whole(std::uint64_t number) {
  return {thousands(number), number == 1};
}

constexpr std::uint64_t kMostAnElement = 16; // words; above it a person counts by the block

TrafficUnit an_element(std::uint64_t elements) {
  return {TrafficUnit::Of::element, [elements](std::uint64_t units) -> std::optional<Amount> {
            if (elements == 0) return std::nullopt;
            const auto words = units * 32;
            if (words <= elements + 31 && words >= elements) return whole(1); // but for the last
            if (words * 4 % elements != 0) return std::nullopt;         // quarters, at the least
            if (words > kMostAnElement * elements) return std::nullopt; // few elements, whole warps
            if (words % elements == 0) return whole(words / elements);
            return Amount{decimal(words, elements, words * 2 % elements ? 2 : 1)};
          }};
}

TrafficUnit a_block(std::uint64_t blocks) {
  return {TrafficUnit::Of::block, [blocks](std::uint64_t units) -> std::optional<Amount> {
            if (blocks == 0 || units % blocks != 0) return std::nullopt;
            return whole(units / blocks);
          }};
}

TrafficUnit in_all() {
  return {TrafficUnit::Of::words, [](std::uint64_t units) { return std::optional(whole(units)); }};
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
      const auto amount = unit.amount(number);
      if (!amount || said.try_emplace(amount->text, number).first->second != number) return false;
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

Amount limit_in(const TrafficUnit& unit, const Measure& measure) {
  const auto low = *unit.amount(measure.low);
  if (measure.high == Measure::kNoLimit)
    return {measure.low == 0 ? tr("any number") : tr("at least {}", low.text)};
  const auto high = *unit.amount(measure.high);
  return measure.low == measure.high ? high : Amount{tr("{} to {}", low.text, high.text)};
}

std::string in_unit(TrafficUnit::Of unit, const Amount& loads, const Amount& stores) {
  const auto loaded = trn("{} shared load", "{} shared loads", loads.is_one ? 1 : 2, loads.text);
  const auto stored = trn("{} store", "{} stores", stores.is_one ? 1 : 2, stores.text);
  switch (unit) {
  case TrafficUnit::Of::element:
    return tr("{} and {} per element", loaded, stored);
  case TrafficUnit::Of::block:
    return tr("{} and {} per block", loaded, stored);
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
  words.limit = load_limit.text == store_limit.text && !load_limit.is_one
                    ? load_limit.text
                    : trc("two limits", "{} and {}", load_limit.text, store_limit.text);
  if (check.status != judge::Status::failed) return words;
  const bool none = loads.value == 0 && stores.value == 0;
  words.message = none ? tr("no thread loads from shared memory, or stores to it")
                       : tr("32-word units of shared memory: {} loaded, {} stored, for {}",
                            thousands(loads.value), thousands(stores.value),
                            counted(found.elements, "{} element", "{} elements"));
  return words;
}

} // namespace course::report
