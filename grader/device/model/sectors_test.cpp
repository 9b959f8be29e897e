#include "device/model/sectors.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace course::model {
namespace {

std::array<std::uint64_t, kLanes> strided(std::uint64_t base, std::int64_t bytes) {
  std::array<std::uint64_t, kLanes> address;
  for (int lane = 0; lane < kLanes; ++lane) address[lane] = base + lane * bytes;
  return address;
}

} // namespace

TEST_CASE("32 neighbouring floats are four sectors, five when they start in the middle of one") {
  CHECK(sectors(kAllLanes, strided(0x7f0000000000, 4)) == 4);
  CHECK(sectors(kAllLanes, strided(0x7f0000000010, 4)) == 5);
}

TEST_CASE("lanes a row apart take a sector each, and lanes at one address take one") {
  CHECK(sectors(kAllLanes, strided(4096, 4096)) == 32);
  CHECK(sectors(kAllLanes, strided(4096, 0)) == 1);
}

TEST_CASE("the order of lanes does not matter") {
  CHECK(sectors(kAllLanes, strided(4096 + 124, -4)) == 4);
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 5000; ++trial) {
    const auto active = static_cast<std::uint32_t>(random() | (trial % 2 ? kAllLanes : 0));
    std::array<std::uint64_t, kLanes> address;
    std::set<std::uint64_t> blocks;
    const std::uint64_t base = random() & ~0xffull, span = 1ull << random() % 40;
    for (int lane = 0; lane < kLanes; ++lane) {
      address[lane] = base + random() % span;
      if (active >> lane & 1) blocks.insert(address[lane] / 32);
    }
    CHECK(sectors(active, address) == static_cast<int>(blocks.size()));
  }
}

TEST_CASE("inactive lanes touch nothing") {
  CHECK(sectors(0, strided(0, 4096)) == 0);
  CHECK(sectors(0x80000001, strided(0, 4096)) == 2);
}

} // namespace course::model
