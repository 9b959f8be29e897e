#include "device/code/ptx/number.hpp"

#include <doctest/doctest.h>

#include <bit>

namespace course::ptx {

TEST_CASE("integers in four bases") {
  CHECK(number("0")->bits == 0);
  CHECK(number("42")->bits == 42);
  CHECK(number("017")->bits == 15);
  CHECK(number("0b101")->bits == 5);
  CHECK(number("0x1F")->bits == 31);
  CHECK(number("0X1fU")->bits == 31);
  CHECK(number("18446744073709551615U")->bits == ~std::uint64_t{0});
  CHECK(number("42")->kind == Immediate::Kind::integer);
}

TEST_CASE("floats by their bits, and in decimal as doubles") {
  CHECK(number("0f3F800000")->kind == Immediate::Kind::f32);
  CHECK(number("0f3F800000")->bits == 0x3f800000);
  CHECK(number("0dBFF0000000000000")->kind == Immediate::Kind::f64);
  CHECK(number("0dBFF0000000000000")->bits == 0xbff0000000000000);
  CHECK(number("1.5e-3")->kind == Immediate::Kind::f64);
  CHECK(std::bit_cast<double>(number("1.5e-3")->bits) == 1.5e-3);
  CHECK(std::bit_cast<double>(number("0.5")->bits) == 0.5);
}

TEST_CASE("what is none of these has no value") {
  for (const auto* text : {"", "U", "0x", "0xg", "08", "0f3F80000", "0f3F8000000", "0d3F800000",
                           "1.5.2", "12a", "18446744073709551616", "-1", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(number(text));
  }
}

} // namespace course::ptx
