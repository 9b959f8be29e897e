#include "report/words/shape_words.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("a matrix is called one, and nothing else is") {
  CHECK(in_words(judge::matrix(64, 96)) == "a 64 x 96 matrix");
  CHECK(called(judge::matrix(64, 96)) == "64 x 96");
  for (const char* label : {"1,000 elements", "64 x 32 x 16", "31 bodies, mask 7", "64 x 96", ""}) {
    CAPTURE(label);
    CHECK(in_words(judge::Shape(label)) == label);
  }
}

TEST_CASE("the order of blocks is said where it is another one, in JSON too") {
  auto shape = judge::matrix(64, 96);
  shape.backwards = true;
  CHECK(in_words(shape) == "64 x 96, the last block first");
  CHECK(called(shape) == "64 x 96, the last block first");
  CHECK(judge::name(shape) == "64 x 96, the last block first");
  shape.backwards = false;
  shape.drawn_order = 2;
  CHECK(in_words(shape) == "64 x 96, drawn order 2");
  CHECK(judge::name(shape) == "64 x 96, drawn order 2");
  shape.again = true;
  CHECK(in_words(shape) == "64 x 96, after another call");
  CHECK(judge::name(shape) == "64 x 96, after another call");
}

TEST_CASE("a shape that is called by its elements counts them") {
  CHECK(counts_elements("4,096 elements", 4096));
  CHECK_FALSE(counts_elements("4,096 elements", 4095));
  CHECK_FALSE(counts_elements(judge::matrix(64, 64), 4096));
}

} // namespace course::report
