#include "device/gpu/variation.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>

namespace course::gpu {
namespace {

std::vector<int> counting(std::size_t n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

std::vector<std::size_t> changed(const std::vector<int>& before, const std::vector<int>& after) {
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i]) where.push_back(i);
  return where;
}

} // namespace

TEST_CASE("one word a stratum becomes another of the same buffer") {
  const auto before = counting(100 * kStratum);
  const auto after = varied(before, 1, 7);
  const auto where = changed(before, after);
  CHECK(where.size() >= 99); // a word may be moved onto itself
  std::set<std::size_t> hit;
  for (const auto i : where) {
    CHECK(hit.insert(i / kStratum).second);
    CHECK(after[i] >= 0);
    CHECK(after[i] < 100 * static_cast<int>(kStratum));
  }
}

TEST_CASE("another seed changes other words, the same seed the same") {
  const auto before = counting(8 * kStratum);
  CHECK(varied(before, 1, 7) == varied(before, 1, 7));
  CHECK(varied(before, 1, 7) != varied(before, 1, 8));
}

TEST_CASE("two elements of 2 bytes move together, and a last one alone stays") {
  const auto before = counting(2 * kStratum + 1);
  const auto after = varied(before, 2, 3);
  const auto where = changed(before, after);
  REQUIRE(where.size() == 2);
  CHECK(where[0] % 2 == 0);
  CHECK(where[1] == where[0] + 1);
  CHECK(after[where[1]] == after[where[0]] + 1);
}

TEST_CASE("a buffer shorter than a stratum, or empty, is no exception") {
  CHECK(varied(std::vector<int>(), 1, 1).empty());
  int differ = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    differ += varied(counting(512), 1, seed) != counting(512);
  CHECK(differ > 1800); // half of the stratum lies past the end
  CHECK(differ < 2200);
}

TEST_CASE("buffers and pairs of runs have seeds of their own") {
  std::set<std::uint64_t> seeds;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    seeds.insert(seed_of_buffer(42, i));
    seeds.insert(seed_of_pair(42, i));
  }
  CHECK(seeds.size() == 2000);
}

} // namespace course::gpu
