#include "lab/values.hpp"

#include "lab/inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace course::lab {
namespace {

constexpr std::uint64_t kLargestSum = 1 << 22;         // of whole numbers: exact as a float
constexpr std::uint64_t kOneIn = 61;                   // is a spike
constexpr std::uint64_t kLargestWhole = (1 << 24) - 1; // all up to it are floats of their own

std::uint64_t whole(const Settings& settings, const std::string& name) {
  return static_cast<std::uint64_t>(settings.at(name));
}

// From -bound to bound.
float of_both_signs(Random& random, std::uint64_t bound) {
  return static_cast<float>(random.below(2 * bound + 1)) - static_cast<float>(bound);
}

Floats numbers(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings&) {
  return floats(count, flavour, seed);
}

Floats to_move(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings&) {
  return numbers_to_move(count, flavour, seed);
}

// Colours, whose sums do not cancel.
Floats numbers_of_one_sign(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                           const Settings&) {
  auto values = floats(count, flavour, seed);
  for (auto& value : values)
    value = flavour == Flavour::spikes ? -std::abs(value) : std::abs(value);
  return values;
}

Floats of_like_size(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings&) {
  return addends(count, flavour, seed);
}

// Of both signs, or all positive, or small with a few large ones among them.
Floats whole_addends(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings&) {
  constexpr std::uint64_t kSmall = 99;
  Random random(seed);
  const auto spike = static_cast<float>(kLargestSum / (count / kOneIn + 1));
  const auto apart = count / kLargestSum + 1; // of ones, where there are very many
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (flavour == Flavour::exact) {
      values[i] = i % apart == 0 ? 1 : 0;
      continue;
    }
    values[i] = of_both_signs(random, kSmall);
    if (flavour == Flavour::spikes && random.below(kOneIn) == 0) values[i] = spike;
  }
  return values;
}

// The same, and in each group a few neighbours that are large, and others that take them back: the
// group's sum is a float, and that of the few is none.
Floats int_addends(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                   const Settings& settings) {
  constexpr std::uint64_t kFew = 8, kHalf = (kLargestWhole + 1) / 2;
  auto values = whole_addends(count, flavour, seed, settings);
  if (flavour != Flavour::random) return values;
  Random random(derive(seed, 1));
  const auto each = whole(settings, "each");
  for (std::uint64_t first = 0; first < count; first += each) {
    const auto half = std::min(each, count - first) / 2;
    if (half < kFew) continue;
    const auto given = first + random.below(half - kFew + 1);
    const auto taken = first + half + random.below(half - kFew + 1);
    for (std::uint64_t i = 0; i < kFew; ++i) {
      const auto large = static_cast<float>(kHalf + random.below(kHalf));
      values[given + i] = large;
      values[taken + (i + 3) % kFew] = -large;
    }
  }
  return values;
}

// A sum that goes up and down between numbers that are floats: that of elements on the way is often
// none. Or ones, or small with a few larger ones among them.
Floats running_addends(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                       const Settings& settings) {
  constexpr std::uint64_t kSmall = 99, kOneInSwings = 8;
  constexpr auto kMost = static_cast<std::int64_t>(kLargestWhole);
  Random random(seed);
  const auto small = std::min<std::uint64_t>(kSmall, kLargestSum / (count + 1));
  const auto spike = static_cast<float>(kLargestSum / (count / kOneIn + 1));
  const auto each = whole(settings, "each");
  Floats values(count);
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (flavour != Flavour::random) {
      const bool is_spike = flavour == Flavour::spikes && random.below(kOneIn) == 0;
      const float other = is_spike ? spike : of_both_signs(random, small);
      values[i] = flavour == Flavour::exact ? 1 : other;
      continue;
    }
    if (i % each == 0) sum = 0;
    const auto far = static_cast<std::uint64_t>(random.below(kOneInSwings) == 0 ? kMost : kSmall);
    const auto step = static_cast<std::int64_t>(random.below(2 * far + 1) - far);
    const auto next = std::clamp(sum + step, -kMost, kMost);
    values[i] = static_cast<float>(next - sum);
    sum = next;
  }
  return values;
}

Floats spiked_factors(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                      const Settings& settings) {
  return factors(count, flavour, seed, static_cast<float>(settings.at("spike")));
}

// An infinity at the end of a row of A: that row of C is infinite, and no other. It finds a kernel
// that takes the element behind a row's end for one of the next row, and multiplies it by a zero.
Floats rows_of_factors(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                       const Settings& settings) {
  auto values = spiked_factors(count, flavour, seed, settings);
  const auto rows = whole(settings, "rows"), columns = whole(settings, "columns");
  if (flavour == Flavour::exact || rows < 2 || columns == 0) return values;
  const auto row = Random(seed).below(rows);
  values.at(row * columns + columns - 1) = std::numeric_limits<float>::infinity();
  return values;
}

// Rows that begin with one number, where they are whole: of queries and keys with such beginnings
// every score is far below zero, and all are exact. Nobody may hold a number for less than them.
Floats led_factors(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                   const Settings& settings) {
  auto values = spiked_factors(count, flavour, seed, settings);
  if (flavour == Flavour::exact)
    for (std::uint64_t i = 0; i < count; i += whole(settings, "columns"))
      values[i] = static_cast<float>(settings.at("first"));
  return values;
}

Floats whole_numbers(std::uint64_t count, Flavour, std::uint64_t seed, const Settings& settings) {
  Random random(seed);
  Floats values(count);
  for (auto& value : values) value = of_both_signs(random, whole(settings, "up_to"));
  return values;
}

// Few different ones, of both signs; the same with halves; or all near the least float that is a
// number, and above it: none is above any other number that somebody holds for the least.
Floats numbers_to_compare(std::uint64_t count, Flavour flavour, std::uint64_t seed,
                          const Settings& settings) {
  constexpr float kLeast = std::numeric_limits<float>::lowest(), kParts = 256;
  const auto bound = whole(settings, "up_to");
  Random random(seed);
  Floats values(count);
  for (auto& value : values) {
    value = of_both_signs(random, bound);
    if (flavour == Flavour::exact) value /= 2;
    if (flavour == Flavour::spikes) value = kLeast - kLeast / kParts * (1 + std::abs(value));
  }
  return values;
}

// Near to each other, so that each of them counts in a sum of powers; but a power of one is
// infinite, unless the largest is taken from all first. Of the spikes it is 0: they are so far
// below zero that nobody holds a number for less than all of them, and most are equal there, as
// what is next to a number of that size is nothing beside it.
Floats exponents(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings&) {
  constexpr float kTooLarge = 200, kTooSmall = -2e38f;
  constexpr std::uint64_t kSmallerOneIn = 5;
  if (flavour == Flavour::spikes) {
    Random random(seed);
    Floats values(count, kTooSmall);
    for (auto& value : values)
      if (random.below(kSmallerOneIn) == 0) value = std::nextafter(value, -INFINITY);
    return values;
  }
  auto values = factors(count, flavour == Flavour::exact ? flavour : Flavour::random, seed, 1);
  if (flavour == Flavour::exact) return values;
  for (auto& value : values) value += kTooLarge;
  return values;
}

// In any order; in turn; or one of them, most of the time.
Floats codes(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings& settings) {
  const auto entries = whole(settings, "below");
  Random random(seed);
  const auto usual = random.below(entries);
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto code = random.below(entries);
    if (flavour == Flavour::exact) code = i % entries;
    if (flavour == Flavour::spikes && random.below(kOneIn) != 0) code = usual;
    values[i] = static_cast<float>(code);
  }
  return values;
}

// A share `same` of the elements is in one bin, whichever it is; the others are in any bin, in
// turn, or in any bin and in order, so that neighbours are alike.
Floats bins(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings& settings) {
  constexpr std::uint64_t kParts = 1 << 20;
  const auto below = whole(settings, "below");
  const auto usual_parts = static_cast<std::uint64_t>(settings.at("same") * kParts);
  Random random(seed);
  const auto usual = static_cast<float>(random.below(below));
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto any = flavour == Flavour::exact ? i % below : random.below(below);
    values[i] = random.below(kParts) < usual_parts ? usual : static_cast<float>(any);
  }
  if (flavour == Flavour::spikes) std::sort(values.begin(), values.end());
  return values;
}

// The float of this int, or else the next one towards 0: none is larger than every int.
float towards_zero(std::int64_t key) {
  const auto value = static_cast<float>(key);
  return std::abs(static_cast<double>(value)) > std::abs(static_cast<double>(key))
             ? std::nextafter(value, 0.0f)
             : value;
}

// Keys from -below / 2 on. Where a float does not tell all of them, some are the least and the
// largest, and some are neighbours.
class Keys {
public:
  Keys(std::uint64_t below, Random& random)
      : below_(below), least_(-static_cast<std::int64_t>(below / 2)), random_(random) {
    for (auto& one : near_) one = any();
  }

  float in_turn(std::uint64_t i) const { return from_least(i % below_); }

  float next() {
    constexpr std::uint64_t kParts = 16, kMostNear = 5;
    if (below_ <= kLargestWhole) return any();
    const auto part = random_.below(kParts);
    if (part == 0) return from_least(random_.below(2) ? 0 : below_ - 1);
    return part > kMostNear ? any() : neighbour(near_[random_.below(near_.size())]);
  }

private:
  float from_least(std::uint64_t key) const {
    return towards_zero(least_ + static_cast<std::int64_t>(key));
  }
  float any() { return from_least(random_.below(below_)); }
  float neighbour(float key) {
    constexpr std::uint32_t kSome = 3;    // of the last bits
    if (key == from_least(0)) return key; // there are none below it
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(key) & ~kSome) |
                                static_cast<std::uint32_t>(random_.below(kSome + 1)));
  }

  std::uint64_t below_;
  std::int64_t least_;
  Random& random_;
  std::array<float, 16> near_{};
};

// A share `same` of them is equal, as of bins. Those in turn are small and come three times, and
// those in order go down, as far from sorted as they can be.
Floats keys(std::uint64_t count, Flavour flavour, std::uint64_t seed, const Settings& settings) {
  constexpr std::uint64_t kParts = 1 << 20;
  auto below = whole(settings, "below");
  if (flavour == Flavour::exact) below = std::clamp<std::uint64_t>((count + 2) / 3, 1, below);
  const auto usual_parts = static_cast<std::uint64_t>(settings.at("same") * kParts);
  Random random(seed);
  Keys all(below, random);
  const auto usual = all.next();
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto key = flavour == Flavour::exact ? all.in_turn(i) : all.next();
    values[i] = random.below(kParts) < usual_parts ? usual : key;
  }
  if (flavour == Flavour::spikes) std::sort(values.rbegin(), values.rend());
  return values;
}

} // namespace

const std::map<std::string, KindOfValues>& kinds_of_values() {
  static const std::map<std::string, KindOfValues> kinds = {
      {"numbers", {numbers, {}}},
      {"numbers_to_move", {to_move, {}}},
      {"numbers_of_one_sign", {numbers_of_one_sign, {}}},
      {"addends", {of_like_size, {}}},
      {"whole_addends", {whole_addends, {}}},
      {"int_addends", {int_addends, {"each"}}},
      {"running_addends", {running_addends, {"each"}}},
      {"factors", {spiked_factors, {"spike"}}},
      {"rows_of_factors", {rows_of_factors, {"spike", "rows", "columns"}}},
      {"led_factors", {led_factors, {"spike", "columns", "first"}}},
      {"whole_numbers", {whole_numbers, {"up_to"}}},
      {"numbers_to_compare", {numbers_to_compare, {"up_to"}}},
      {"exponents", {exponents, {}}},
      {"codes", {codes, {"below"}}},
      {"bins", {bins, {"below", "same"}}},
      {"keys", {keys, {"below", "same"}}},
  };
  return kinds;
}

} // namespace course::lab
