#include "report/words/access_words.hpp"

#include <doctest/doctest.h>

namespace course::report {

using model::RequestKind, model::RequestType;

TEST_CASE("an access is said in words, with the bytes of a lane") {
  CHECK(access_words(RequestType{RequestKind::shared_load, 4}) == "shared load 4");
  CHECK(access_words(RequestType{RequestKind::constant_load, 16}) == "constant load 16");
  CHECK(access_words(RequestType{RequestKind::bulk_global_load, 0}) == "bulk global load");
}

TEST_CASE("the name of an instruction stays one, and nothing stays nothing") {
  CHECK(access_words(model::kind_of("red_global_add_f64").value()) == "red global add f64");
  CHECK(access_words(RequestType{RequestKind::ldmatrix, 16}) == "ldmatrix x4");
  CHECK(access_words(RequestType{static_cast<RequestKind>(200), 4}) == "");
}

} // namespace course::report
