#include "lab/drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace course::lab {
namespace {

constexpr std::uint64_t kOfShapes = 1000; // apart from the inputs, which take the first few
constexpr std::uint64_t kMostDraws = 1000;

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

namespace {

bool has(const std::vector<Case>& cases, const Case& one) {
  return std::ranges::any_of(cases, [&](const Case& other) { return other.shape == one.shape; });
}

// Those of a draw whose shapes neither have names nor come twice.
std::vector<Case> new_ones(std::vector<Case> drawn, const std::vector<Case>& named) {
  std::vector<Case> cases;
  for (auto& one : drawn)
    if (!has(named, one) && !has(cases, one)) cases.push_back(std::move(one));
  return cases;
}

// Where some are not new, all are drawn again, so that each seed has as many shapes; unless there
// are not so many.
std::vector<Case> drawn_cases(const Exercise& exercise, std::uint64_t seed) {
  std::vector<Case> most;
  for (std::uint64_t i = 0; i < kMostDraws; ++i) {
    Draw draw(derive(seed, kOfShapes + i));
    auto drawn = exercise.drawn(draw);
    const auto wanted = drawn.size();
    auto cases = new_ones(std::move(drawn), exercise.cases);
    if (cases.size() == wanted) return cases;
    if (cases.size() > most.size()) most = std::move(cases);
  }
  return most;
}

} // namespace

std::vector<Case> cases_of(const Exercise& exercise, std::uint64_t seed) {
  auto cases = exercise.cases;
  if (!exercise.drawn) return cases;
  for (auto& one : drawn_cases(exercise, seed)) {
    one.drawn = true;
    one.followed = (!exercise.way_check.empty() && one.bounds.way) || one.bounds.uses;
    cases.push_back(std::move(one));
  }
  return cases;
}

} // namespace course::lab
