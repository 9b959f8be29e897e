// Inputs from a seed: the same everywhere, whatever the machine or the C++ library.
#pragma once

#include "lab/exercise.hpp"

namespace course::lab {

// A sequence of 64-bit numbers (splitmix64, by Sebastiano Vigna, public domain).
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound); // uniform in [0, bound); bound > 0

private:
  std::uint64_t state_;
};

// Numbers for the i-th of several things that share a seed.
std::uint64_t derive(std::uint64_t seed, std::uint64_t i);

// `count` finite floats, none of them 0, NaN or subnormal. Up to 2^23 of them no two are equal,
// so that an element in a wrong place is a wrong element.
Floats floats(std::uint64_t count, Flavour, std::uint64_t seed);

// Numbers to move: floats(), and in every flavour but the exact one also both infinities and a NaN,
// where there is room for them.
Floats numbers_to_move(std::uint64_t count, Flavour, std::uint64_t seed);

// Floats of like size, so that a sum without one of them is a wrong sum: from 1 to 2, or whole from
// 1 to 1024. Spikes hide their neighbours, and show that large and small go together. The whole
// ones are negative, all of them: their sum is no sum of what is positive, and nothing cancels.
Floats addends(std::uint64_t count, Flavour, std::uint64_t seed);

// Floats of like size and both signs, so that a sum that lacks a product is a wrong sum: from 1 to
// 2, or whole numbers up to 8. Spikes are `spike` times larger.
Floats factors(std::uint64_t count, Flavour, std::uint64_t seed, float spike);

// The nearest number of bf16, which is a float with 8 bits of precision; of two, the even one.
float rounded_to_bf16(float);

} // namespace course::lab
