#include "lab/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace course::lab {
namespace {

constexpr std::uint32_t kFractions = 1u << 23; // of one sign and exponent of a float

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

// A float determines its fraction, so distinct fractions make distinct floats.
Floats varied(std::uint64_t count, Random& random) {
  Fractions fractions(random);
  Floats values(count);
  for (auto& value : values) {
    const std::uint64_t bits = random.next();
    const int exponent = static_cast<int>(bits % 17) - 8;
    value = std::ldexp(fractions.next(), exponent);
    if (bits >> 63) value = -value;
  }
  return values;
}

Floats shuffled(std::uint64_t count, Random& random) {
  Floats values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  for (std::uint64_t i = count; i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
  return values;
}

} // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
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
  constexpr std::uint64_t kOneIn = 61;
  Random random(seed);
  if (flavour == Flavour::exact) return shuffled(count, random);
  auto values = varied(count, random);
  if (flavour == Flavour::spikes) {
    for (auto& value : values) {
      if (random.below(kOneIn) == 0) value *= 1 << 20;
    }
  }
  return values;
}

} // namespace course::lab
