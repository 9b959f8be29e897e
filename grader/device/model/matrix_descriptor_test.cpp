#include "device/model/matrix_descriptor.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::model {
namespace {

std::uint64_t bits_of(std::uint32_t start, std::uint32_t leading, std::uint32_t stride,
                      std::uint64_t base, std::uint64_t layout) {
  return (start & 0x3ffff) >> 4 | std::uint64_t{leading >> 4} << 16 |
         std::uint64_t{stride >> 4} << 32 | base << 49 | layout << 62;
}

} // namespace

TEST_CASE("a descriptor's fields are where the H200 has them") {
  const auto made = matrix_descriptor(bits_of(0x12340, 16, 1024, 3, 1));
  CHECK(made == MatrixDescriptor{0x12340, 16, 1024, 3, Swizzle::bytes_128});
  CHECK(matrix_descriptor(bits_of(0, 0, 0, 0, 2)).swizzle == Swizzle::bytes_64);
  CHECK(matrix_descriptor(bits_of(0, 0, 0, 0, 3)).swizzle == Swizzle::bytes_32);
  CHECK(matrix_descriptor(bits_of(0, 0, 0, 0, 0)).span() == 16);
}

TEST_CASE("what a tensor map wrote is found at its own places, wherever the tile begins") {
  for (const auto swizzle : {Swizzle::bytes_32, Swizzle::bytes_64, Swizzle::bytes_128}) {
    for (const std::uint32_t tile : {0u, 128u, 384u, 1024u}) {
      MatrixDescriptor of{tile, 0, 0, 0, swizzle};
      of.stride = 8 * of.span();
      for (std::uint32_t row = 0; row < 64; ++row)
        for (std::uint32_t half = 0; half < 2; ++half)
          CHECK(chunk_at(of, Major::k, row, half) ==
                swizzled(tile + row * of.span() + half * 16, swizzle));
    }
  }
}

TEST_CASE("a base offset of the tile's own place begins the pattern at the tile") {
  MatrixDescriptor of{384, 0, 1024, 3, Swizzle::bytes_128}, at_zero{0, 0, 1024, 0, of.swizzle};
  for (std::uint32_t row = 0; row < 64; ++row)
    CHECK(chunk_at(of, Major::k, row, 1) - 384 == chunk_at(at_zero, Major::k, row, 1));
}

TEST_CASE("no two chunks of an operand are at one place, in every layout") {
  for (const auto major : {Major::k, Major::mn}) {
    for (const auto swizzle :
         {Swizzle::none, Swizzle::bytes_32, Swizzle::bytes_64, Swizzle::bytes_128}) {
      MatrixDescriptor of{0, 0, 0, 0, swizzle};
      const std::uint32_t span = of.span(), lines = 64, across = major == Major::k ? lines : 8,
                          along = major == Major::k ? 2 : 16;
      of.stride = swizzle == Swizzle::none && major == Major::k ? 256 : 8 * span;
      of.leading = swizzle == Swizzle::none ? (major == Major::k ? 128 : 1024) : 16 * span;
      std::set<std::uint32_t> places;
      for (std::uint32_t x = 0; x < across; ++x)
        for (std::uint32_t y = 0; y < along; ++y) places.insert(chunk_at(of, major, x, y));
      CHECK(places.size() == across * along);
    }
  }
}

TEST_CASE("a step along K stays in the line of the swizzle") {
  CHECK(fits_span({96, 0, 1024, 0, Swizzle::bytes_128}, Major::k));
  CHECK_FALSE(fits_span({112, 0, 1024, 0, Swizzle::bytes_128}, Major::k));
  CHECK_FALSE(fits_span({16, 0, 256, 0, Swizzle::bytes_32}, Major::k));
  CHECK(fits_span({48, 0, 256, 0, Swizzle::none}, Major::k));
  CHECK(fits_span({64, 0, 256, 0, Swizzle::bytes_32}, Major::mn));
}

TEST_CASE("the wavefronts of four warps are the bytes of the operands, as counted") {
  const auto of_all = [](bool a_in_shared, std::uint32_t columns) {
    std::uint32_t sum = 0;
    for (std::uint32_t warp = 0; warp < 4; ++warp)
      sum += product_wavefronts(a_in_shared, columns, warp);
    return sum;
  };
  CHECK(of_all(true, 8) == 18); // bf16, tf32 and e4m3, 330 kernels
  CHECK(of_all(false, 8) == 2);
  CHECK(of_all(true, 96) == 40);
  CHECK(of_all(true, 256) == 80);
  CHECK(of_all(false, 256) == 64);
}

} // namespace course::model
