#include "lab/labs.hpp"
#include "lab/named.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace course::lab {
namespace {

Exercise of_products(const std::string& name) {
  return named(exercises(COURSE_SOURCE_DIR), "08_tiled_product/" + name);
}

// As a kernel adds: in floats, one product after another.
Floats in_floats(const Case& one, const std::vector<Floats>& inputs) {
  const auto m = one.extent.rows, n = one.extent.cols;
  const auto k = m ? inputs[1].size() / m : 0;
  Floats c(m * n);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t col = 0; col < n; ++col) {
      for (std::size_t i = 0; i < k; ++i)
        c[row * n + col] =
            std::fma(inputs[1][row * k + i], inputs[2][i * n + col], c[row * n + col]);
    }
  }
  return c;
}

} // namespace

TEST_CASE("rows of A meet columns of B") {
  const auto tile = of_products("1_tile");
  const auto& one = with(tile, "1 x 100 x 5");
  Floats a(5), b(500);
  a[3] = 2;
  b[3 * 100 + 70] = 10;
  const auto c = one.reference({{}, a, b});
  REQUIRE(c.size() == 100);
  CHECK(c[70] == 20);
  CHECK(c[69] == 0);
}

TEST_CASE("without a common side the product is zeros, not nothing") {
  const auto tile = of_products("1_tile");
  CHECK(with(tile, "40 x 24 x 0").reference({{}, {}, {}}) == Floats(40 * 24, 0.0f));
}

TEST_CASE("rounding stays within a tenth of the tolerance, in every flavour") {
  for (const auto& one : of_products("1_tile").cases) {
    for (const auto flavour : kFlavours) {
      const auto inputs = one.inputs(flavour, 17);
      const auto expected = one.reference(inputs), got = in_floats(one, inputs);
      double worst = 0;
      bool infinities = true;
      for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isinf(expected[i]))
          infinities = infinities && got[i] == expected[i];
        else
          worst = std::max(worst, std::abs(double{got[i]} - expected[i]));
      }
      INFO(one.shape.label);
      CHECK(infinities);
      CHECK(worst < one.tolerance.absolute / 10);
    }
  }
}

TEST_CASE("factors of eleven bits are told from factors of 24") {
  const auto ratio = of_products("2_ratio");
  const auto& one = with(ratio, "130 x 257 x 67");
  auto inputs = one.inputs(Flavour::spikes, 23);
  const auto expected = one.reference(inputs);
  for (auto& x : inputs[1]) {
    int exponent = 0;
    const float fraction = std::frexp(x, &exponent); // 0.5 <= |fraction| < 1
    if (std::isfinite(x)) x = std::ldexp(std::round(fraction * 2048) / 2048, exponent);
  }
  const auto coarse = one.reference(inputs);
  std::size_t outside = 0;
  for (std::size_t i = 0; i < coarse.size(); ++i)
    outside +=
        std::isfinite(expected[i]) && std::abs(coarse[i] - expected[i]) > one.tolerance.absolute;
  CHECK(outside > 0);
}

TEST_CASE("one row of C is infinite, and only one") {
  const auto tile = of_products("1_tile");
  const auto& one = with(tile, "33 x 31 x 67");
  const auto c = one.reference(one.inputs(Flavour::random, 5));
  std::size_t infinite = 0, rows = 0;
  for (std::size_t row = 0; row < 33; ++row) {
    rows += std::isinf(c[row * 31]);
    for (std::size_t col = 0; col < 31; ++col) infinite += std::isinf(c[row * 31 + col]);
  }
  CHECK(rows == 1);
  CHECK(infinite == 31);
}

TEST_CASE("limits on sectors fall along the ladder") {
  const auto tile = of_products("1_tile"), ratio = of_products("2_ratio"),
             pipe = of_products("4_pipeline");
  CHECK(with(tile, "32 x 32 x 32").bounds.global_loads.sectors == 256 + 26);
  const auto per_product = [](const Case& one, double products) {
    return one.bounds.global_loads.sectors / products;
  };
  const auto first = per_product(with(tile, "64 x 96 x 128"), 64 * 96 * 128);
  const auto second = per_product(with(ratio, "128 x 128 x 32"), 128 * 128 * 32);
  const auto last = per_product(with(pipe, "128 x 256 x 32"), 128 * 256 * 32);
  CHECK(second < first / 3.5);
  CHECK(last < second);
}

} // namespace course::lab
