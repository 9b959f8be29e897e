// Chance that can be had again: the same seed, the same throws, with any library.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

namespace course::trust {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}
  // Below `sides`, which is above 0. Not std::uniform_int_distribution, whose numbers depend on the
  // library.
  std::size_t below(std::size_t sides) { return generator_() % sides; }
  template <class List>
  const auto& one_of(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

private:
  std::mt19937_64 generator_;
};

} // namespace course::trust
