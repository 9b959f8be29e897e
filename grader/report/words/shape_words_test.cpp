#include "report/words/shape_words.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("two numbers are a matrix") {
  CHECK(in_words("64 x 96") == "a 64 x 96 matrix");
}

TEST_CASE("what is no matrix is not called one") {
  for (const char* shape : {"1,000 elements", "64 x 32 x 16", "13 reads", "31 bodies, mask 7", "",
                            " x ", "64 x", "a x b"}) {
    CAPTURE(shape);
    CHECK(in_words(shape) == shape);
  }
}

} // namespace course::report
