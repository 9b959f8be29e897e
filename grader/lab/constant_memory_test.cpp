#include "lab/labs.hpp"
#include "lab/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace course::lab {
namespace {

Exercise exercise(const std::string& name) {
  return named(exercises(COURSE_SOURCE_DIR), name);
}

float coefficient(const Case& one, std::size_t k) {
  return std::get<float>(one.arguments[3 + k]);
}

} // namespace

TEST_CASE("one element is seen by the eight around it, with both signs, and by none beyond") {
  const auto stencil = exercise("1_stencil");
  const auto& one = with(stencil, "31 elements");
  Floats in(31);
  in[10] = 1;
  const auto out = one.reference({{}, in});
  CHECK(out[10] == coefficient(one, 0));
  for (std::size_t k = 1; k <= 4; ++k) {
    CHECK(out[10 - k] == coefficient(one, k));
    CHECK(out[10 + k] == -coefficient(one, k));
  }
  CHECK(out[5] == 0);
  CHECK(out[15] == 0);
}

TEST_CASE("outside the array there are zeros") {
  const auto stencil = exercise("1_stencil");
  const auto& one = with(stencil, "1 element");
  CHECK(one.reference({{}, {2}}) == Floats{2 * coefficient(one, 0)});
}

TEST_CASE("coefficients differ between shapes, so that none can be written into a kernel") {
  const auto stencil = exercise("1_stencil");
  CHECK(coefficient(stencil.cases[0], 1) != coefficient(stencil.cases[1], 1));
  for (const auto& one : stencil.cases) CHECK(one.arguments.size() == 8);
}

TEST_CASE("a stencil that leaves out its smallest product is outside the tolerance") {
  for (const auto& one : exercise("1_stencil").cases) {
    double least = 1e9;
    for (std::size_t k = 0; k <= 4; ++k) {
      if (coefficient(one, k) != 0) least = std::min<double>(least, std::abs(coefficient(one, k)));
    }
    INFO(one.shape.label);
    CHECK(least > 10 * one.tolerance.absolute); // factors are 1 at least
  }
}

TEST_CASE("a stencil that loads everything three times is over its limit where it is long") {
  const auto stencil = exercise("1_stencil");
  const auto& bounds = with(stencil, "65,536 elements").bounds;
  CHECK(bounds.global_loads.sectors > 65'536 / 8 + 2 * 64);
  CHECK(bounds.global_loads.sectors < 3 * 65'536 / 8);
}

TEST_CASE("a constant group has a sum at u = 0, and nothing else") {
  const auto uniform = exercise("2_uniform");
  const auto& one = with(uniform, "31 groups");
  const auto out = one.reference({{}, Floats(8 * 31, 3.0f)});
  for (std::size_t g = 0; g < 31; ++g) {
    CHECK(out[g] == doctest::Approx(24));
    for (std::size_t u = 1; u < 8; ++u) CHECK(std::abs(out[u * 31 + g]) < 1e-5);
  }
}

TEST_CASE("each look-up is one of 64 entries, and all of them occur") {
  const auto read_only = exercise("3_read_only");
  const auto& one = with(read_only, "4,099 codes");
  for (const auto flavour : kFlavours) {
    const auto inputs = one.inputs(flavour, 5);
    bool seen[64] = {};
    for (const float code : inputs[1]) {
      REQUIRE(code >= 0);
      REQUIRE(code < 64);
      seen[static_cast<int>(code)] = true;
    }
    CHECK(std::count(std::begin(seen), std::end(seen), true) > 30);
  }
  const auto out = one.reference({{}, {0, 8, 63}});
  CHECK(out[0] == 1);
  CHECK(out[1] == doctest::Approx(std::cos(3.14159265 / 16)));
  CHECK(out[2] == doctest::Approx(std::cos(15 * 7 * 3.14159265 / 16)));
}

TEST_CASE("a search through the table takes more instructions than are allowed") {
  const auto read_only = exercise("3_read_only");
  const auto& bounds = with(read_only, "65,536 codes").bounds;
  CHECK(bounds.others.at("instructions").high < std::uint64_t{65'536} / 32 * 2 * 64);
  CHECK(bounds.others.at("replays").high == 0);
}

} // namespace course::lab
