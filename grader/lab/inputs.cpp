#include "lab/inputs.hpp"

#include "device/splitmix64.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace course::lab {
namespace {

constexpr std::uint32_t kFractions = 1u << 23; // of one sign and exponent of a float
constexpr std::uint64_t kSpikeOneIn = 61;

// 1 <= fraction < 2: no two of the first 2^23 alike, as an odd step visits every residue.
class Fractions {
public:
  explicit Fractions(Random& random)
      : at_(random.below(kFractions)), step_(random.below(kFractions) | 1) {}

  float next() {
    at_ = (at_ + step_) % kFractions;
    return 1.0f + static_cast<float>(at_) / kFractions;
  }

private:
  std::uint64_t at_, step_;
};

// 2^-8 to 2^8. A table, as large inputs are made while somebody waits.
constexpr auto kPowers = [] {
  std::array<float, 17> powers{};
  float power = 1.0f / 256;
  for (auto& one : powers) {
    one = power;
    power *= 2;
  }
  return powers;
}();

// A float determines its fraction, so distinct fractions make distinct floats.
Floats varied(std::uint64_t count, Random& random) {
  Fractions fractions(random);
  Floats values(count);
  for (auto& value : values) {
    const std::uint64_t bits = random.next();
    value = fractions.next() * kPowers[bits % kPowers.size()];
    if (bits >> 63) value = -value;
  }
  return values;
}

// From 1 to 2, or whole from 1 to `largest`.
Floats of_like_size(std::uint64_t count, bool whole, std::uint64_t largest, Random& random) {
  Floats values(count);
  for (auto& value : values) {
    value = whole ? static_cast<float>(1 + random.below(largest))
                  : 1 + static_cast<float>(random.below(kFractions)) / kFractions;
  }
  return values;
}

Floats shuffled(std::uint64_t count, Random& random) {
  Floats values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  for (std::uint64_t i = count; i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
  return values;
}

void negate(Floats& values) {
  for (auto& value : values) value = -value;
}

void enlarge_some(Floats& values, float times, Random& random) {
  for (auto& value : values) {
    if (random.below(kSpikeOneIn) == 0) value *= times;
  }
}

} // namespace

std::uint64_t Random::next() {
  state_ += device::kSplitmixStep;
  return device::splitmix64(state_);
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t rest = -bound % bound; // numbers below it would make some results likelier
  std::uint64_t value = next();
  while (value < rest) value = next();
  return value % bound;
}

std::uint64_t derive(std::uint64_t seed, std::uint64_t i) {
  return Random(seed ^ Random(i).next()).next();
}

Floats floats(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  Random random(seed);
  if (flavour == Flavour::exact) return shuffled(count, random);
  auto values = varied(count, random);
  if (flavour == Flavour::spikes) enlarge_some(values, 1 << 20, random);
  return values;
}

Floats numbers_to_move(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  constexpr std::uint64_t kRoomForSpecials = 100;
  auto values = floats(count, flavour, seed);
  if (flavour == Flavour::exact || count < kRoomForSpecials) return values;
  using Limits = std::numeric_limits<float>;
  Random random(seed);
  for (const float special : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    values[random.below(count)] = special;
  return values;
}

Floats addends(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  constexpr std::uint64_t kLargest = 1024;
  Random random(seed);
  auto values = of_like_size(count, flavour == Flavour::exact, kLargest, random);
  if (flavour == Flavour::spikes) enlarge_some(values, 1 << 20, random);
  if (flavour == Flavour::exact) negate(values);
  return values;
}

Floats factors(std::uint64_t count, Flavour flavour, std::uint64_t seed, float spike) {
  constexpr std::uint64_t kLargest = 8;
  Random random(seed);
  auto values = of_like_size(count, flavour == Flavour::exact, kLargest, random);
  for (auto& value : values) {
    if (random.below(2)) value = -value;
  }
  if (flavour == Flavour::spikes) enlarge_some(values, spike, random);
  return values;
}

float rounded_to_bf16(float value) {
  constexpr std::uint32_t kDropped = 0xffff, kHalf = 0x8000;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return std::bit_cast<float>(bits & ~kDropped); // quiet ones stay NaN
  const std::uint32_t odd = bits >> 16 & 1;
  return std::bit_cast<float>((bits + kHalf - 1 + odd) & ~kDropped);
}

} // namespace course::lab
