#include "lab/drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace course::lab {
namespace {

constexpr std::uint64_t kOfShapes = 1000; // apart from the inputs, which take the first few

bool is_prime(std::uint64_t n) {
  for (std::uint64_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return false;
  return n > 1;
}

} // namespace

std::uint64_t Draw::between(std::uint64_t low, std::uint64_t high) {
  if (low > high)
    throw std::domain_error(fmt::format("there is nothing between {} and {}", low, high));
  return low + random_.below(high - low + 1);
}

std::uint64_t Draw::prime(std::uint64_t low, std::uint64_t high) {
  auto n = between(low, high);
  for (auto tries = high - low + 1; !is_prime(n); --tries) {
    if (tries == 0)
      throw std::domain_error(fmt::format("there is no prime between {} and {}", low, high));
    n = n == high ? low : n + 1;
  }
  return n;
}

std::vector<Case> cases_of(const Exercise& exercise, std::uint64_t seed) {
  auto cases = exercise.cases;
  if (!exercise.drawn) return cases;
  // A shape that has a name already is drawn again.
  const auto known = [&](const Case& one) {
    return std::ranges::any_of(cases, [&](const Case& other) { return other.shape == one.shape; });
  };
  for (std::uint64_t i = kOfShapes; cases.size() == exercise.cases.size(); ++i) {
    Draw draw(derive(seed, i));
    for (auto& one : exercise.drawn(draw)) {
      if (known(one)) continue;
      one.drawn = true;
      one.followed = (!exercise.way_check.empty() && one.bounds.way) || one.bounds.uses;
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

} // namespace course::lab
