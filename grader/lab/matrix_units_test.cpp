#include "lab/inputs.hpp"
#include "lab/labs.hpp"
#include "lab/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace course::lab {
namespace {

Exercise of_matrix_units(const std::string& name) {
  return named(exercises(COURSE_SOURCE_DIR), "10_matrix_units/" + name);
}

std::size_t outside(const Case& one, const Floats& got, const Floats& expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double room =
        one.tolerance.absolute + one.tolerance.relative * std::abs(double{expected[i]});
    wrong += std::isfinite(expected[i]) && !(std::abs(double{got[i]} - expected[i]) <= room);
  }
  return wrong;
}

// As matrix units add: sixteen products at a time, in floats.
Floats product_in_floats(const Case& one, const std::vector<Floats>& inputs) {
  const auto m = one.extent.rows, n = one.extent.cols, k = inputs[1].size() / m;
  Floats c(m * n);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t col = 0; col < n; ++col)
      for (std::size_t i = 0; i < k; ++i)
        c[row * n + col] += inputs[1][row * k + i] * inputs[2][col * k + i];
  return c;
}

} // namespace

TEST_CASE("rows of A meet rows of B") {
  const auto product = of_matrix_units("4_product");
  const auto& one = with(product, "31 x 40 x 32");
  Floats a(31 * 32), b(40 * 32);
  a[2 * 32 + 5] = 3;
  b[7 * 32 + 5] = 10;
  b[8 * 32 + 6] = 10;
  const auto c = one.reference({{}, a, b});
  REQUIRE(c.size() == 31 * 40);
  CHECK(c[2 * 40 + 7] == 30);
  CHECK(std::ranges::count(c, 0.0f) == 31 * 40 - 1);
}

TEST_CASE("every input of lab 10 is a number of bf16, and the reference gets the same") {
  for (const char* name : {"1_fragments", "4_product", "5_scores"}) {
    const auto exercise = of_matrix_units(name);
    for (const auto flavour : kFlavours)
      for (const auto& values : exercise.cases[0].inputs(flavour, 3))
        CHECK(std::ranges::all_of(values, [](float x) { return rounded_to_bf16(x) == x; }));
  }
}

TEST_CASE("sums of floats stay within the tolerance of a product, one product less does not") {
  const auto product = of_matrix_units("4_product");
  for (const char* shape : {"131 x 264 x 104", "7 x 136 x 200"}) {
    const auto& one = with(product, shape);
    for (const auto flavour : kFlavours) {
      auto inputs = one.inputs(flavour, 17);
      const auto expected = one.reference(inputs);
      INFO(shape);
      CHECK(outside(one, product_in_floats(one, inputs), expected) == 0);
      const auto k = inputs[1].size() / one.extent.rows;
      for (std::size_t row = 0; row < one.extent.rows; ++row) inputs[1][row * k] = 0;
      const auto less = product_in_floats(one, inputs);
      const auto finite = std::ranges::count_if(expected, [](float x) { return std::isfinite(x); });
      CHECK(outside(one, less, expected) == static_cast<std::size_t>(finite));
    }
  }
}

TEST_CASE("shares of attention add up to one, and need the largest score taken from all") {
  const auto scores = of_matrix_units("5_scores");
  const auto& one = with(scores, "130 queries, 256 keys");
  for (const auto flavour : kFlavours) {
    const auto shares = one.reference(one.inputs(flavour, 5));
    REQUIRE(shares.size() == 130 * 256);
    for (std::size_t row = 0; row < 130; ++row) {
      double sum = 0;
      for (std::size_t col = 0; col < 256; ++col) sum += shares[row * 256 + col];
      CHECK(sum == doctest::Approx(1));
    }
  }
  // A float's power is infinite from 89 on.
  const auto products = product_in_floats(one, one.inputs(Flavour::spikes, 5));
  CHECK(*std::ranges::max_element(products) / 8 > 89);
}

TEST_CASE("a query of nothing looks at all keys alike") {
  const auto scores = of_matrix_units("5_scores");
  const auto& one = with(scores, "1 query, 8 keys");
  const auto shares = one.reference({{}, Floats(64), one.inputs(Flavour::random, 1)[2]});
  for (const float share : shares) CHECK(share == 0.125f);
}

} // namespace course::lab
