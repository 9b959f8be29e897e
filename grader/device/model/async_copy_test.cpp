#include "device/model/async_copy.hpp"

#include <doctest/doctest.h>

#include <random>

namespace course::model {
namespace {

// Lane l copies from place l * `from` to place l * `to`, in widths.
AsyncCopy strided(int width, int from, int to, bool around_l1 = false) {
  AsyncCopy copy{width, around_l1};
  for (int lane = 0; lane < kLanes; ++lane) {
    copy.from[lane] = static_cast<std::uint64_t>(lane * from * width);
    copy.to[lane] = static_cast<std::uint32_t>(lane * to * width);
  }
  return copy;
}

} // namespace

TEST_CASE("a copy of neighbours to neighbours has no conflict, by either way") {
  CHECK(copy_passes(strided(4, 1, 1)) == Passes{1, 1, 1});
  CHECK(copy_passes(strided(8, 1, 1)) == Passes{2, 2, 1});
  CHECK(copy_passes(strided(16, 1, 1)) == Passes{4, 4, 1});
  CHECK(copy_passes(strided(16, 1, 1, true)) == Passes{4, 4, 1});
  CHECK(copy_sectors(strided(16, 1, 1, true)) == 16);
}

TEST_CASE("through L1 a column conflicts on the side where it is one, padding frees it") {
  CHECK(copy_passes(strided(4, 1, 32)) == Passes{32, 1, 32});
  CHECK(copy_passes(strided(4, 32, 1)) == Passes{32, 1, 32});
  CHECK(copy_passes(strided(4, 32, 33)) == Passes{32, 1, 32});
  CHECK(copy_passes(strided(4, 33, 33)) == Passes{1, 1, 1});
}

TEST_CASE("a lane that meets one on each side makes three of them wait for each other") {
  AsyncCopy copy{16};
  copy.active = 0b111;
  copy.from = {0, 128, 16};
  copy.to = {0, 16, 128};
  CHECK(copy_passes(copy) == Passes{3, 1, 3});
  copy.to[2] = 160; // lane 0 still meets lane 1 in its source's bank
  CHECK(copy_passes(copy) == Passes{2, 1, 2});
}

TEST_CASE("around L1 a row may arrive swizzled, as its chunks are exchanged in pairs") {
  AsyncCopy copy = strided(16, 1, 1, true);
  for (const unsigned mask : {1u, 2u, 4u, 7u}) {
    for (unsigned lane = 0; lane < kLanes; ++lane) copy.to[lane] = (lane ^ mask) * 16;
    CHECK(copy_passes(copy) == Passes{4, 4, 1});
  }
  // Turned round by one, halves of sectors come from other sectors.
  for (unsigned lane = 0; lane < kLanes; ++lane)
    copy.to[lane] = (lane / 8 * 8 + (lane + 1) % 8) * 16;
  CHECK(copy_passes(copy).wavefronts > 4);
}

TEST_CASE("around L1 each row and each line costs a wavefront of its own") {
  CHECK(copy_passes(strided(16, 1, 8, true)) == Passes{32, 4, 1});
  CHECK(copy_passes(strided(16, 8, 1, true)) == Passes{32, 4, 1});
}

TEST_CASE("of lanes that write the same place around L1, the lowest counts") {
  AsyncCopy copy = strided(16, 1, 0, true);
  CHECK(copy_passes(copy) == Passes{1, 1, 1});
  CHECK(copy_sectors(copy) == 1);
  copy.active = 0;
  CHECK(copy_passes(copy) == Passes{});
  CHECK(copy_sectors(copy) == 0);
}

TEST_CASE("any addresses and widths are safe") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    AsyncCopy copy{static_cast<int>(random() % 40) - 4, random() % 2 == 0,
                   static_cast<std::uint32_t>(random())};
    for (auto& address : copy.from) address = ~0ull - random() % 256;
    for (auto& offset : copy.to) offset = 0xffffffffu - static_cast<std::uint32_t>(random() % 256);
    const Passes passes = copy_passes(copy);
    CHECK(passes.wavefronts >= passes.ideal);
    CHECK(passes.wavefronts <= kLanes);
    CHECK((passes.wavefronts > 0) == (copy.active != 0));
  }
}

} // namespace course::model
