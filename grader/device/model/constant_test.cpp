#include "device/model/constant.hpp"

#include <doctest/doctest.h>

namespace course::model {
namespace {

std::array<std::uint32_t, kLanes> strided(std::uint32_t bytes) {
  std::array<std::uint32_t, kLanes> offset;
  for (int lane = 0; lane < kLanes; ++lane) offset[lane] = 64 + lane * bytes;
  return offset;
}

} // namespace

TEST_CASE("one index for the whole warp is not replayed, an index a lane is replayed 31 times") {
  CHECK(constant_replays(kAllLanes, 4, strided(0)) == 0);
  CHECK(constant_replays(kAllLanes, 4, strided(4)) == 31);
}

TEST_CASE("bytes of one word come together") {
  CHECK(constant_replays(kAllLanes, 1, strided(1)) == 7);
}

TEST_CASE("only active lanes are replayed for") {
  CHECK(constant_replays(0x00010001, 4, strided(4)) == 1);
  CHECK(constant_replays(0x00010000, 4, strided(4)) == 0);
  CHECK(constant_replays(0, 4, strided(4)) == 0);
}

TEST_CASE("lanes that agree on a wide element are not replayed") {
  CHECK(constant_replays(kAllLanes, 8, strided(0)) == 0);
  CHECK(constant_replays(kAllLanes, 16, strided(16)) == 31);
}

} // namespace course::model
