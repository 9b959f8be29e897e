// Shapes drawn from the seed, which no file can list: beside the named ones, each exercise has a
// few of them, small enough to cost little, with edges wherever its task allows edges, and where it
// promises any size one beyond the largest that has a name.
#pragma once

#include "lab/exercise.hpp"
#include "lab/inputs.hpp"

namespace course::lab {

class Draw {
public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  // Both ends inclusive. Where there is none: std::domain_error, in words.
  std::uint64_t between(std::uint64_t low, std::uint64_t high);
  std::uint64_t prime(std::uint64_t low, std::uint64_t high);

private:
  Random random_;
};

// The exercise's cases for a grading with this seed: those with names, then those that are drawn.
// Of the latter, the way of the data is followed where the exercise asks for one.
std::vector<Case> cases_of(const Exercise&, std::uint64_t seed);

} // namespace course::lab
