#include "report/words/access_words.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("an access is said in words, with the bytes of a lane") {
  CHECK(access_words("shared_load_4") == "shared load 4");
  CHECK(access_words("constant_load_16") == "constant load 16");
}

TEST_CASE("the name of an instruction stays one, and nothing stays nothing") {
  CHECK(access_words("red_global_add_f64") == "red global add f64");
  CHECK(access_words("ldmatrix") == "ldmatrix");
  CHECK(access_words("bulk_global_load") == "bulk global load");
  CHECK(access_words("") == "");
}

} // namespace course::report
