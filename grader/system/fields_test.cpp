#include "system/fields.hpp"

#include <doctest/doctest.h>

namespace course::system {

using Fields = std::vector<std::string>;

TEST_CASE("a line is cut at each separator, and empty fields are fields") {
  CHECK(fields_of("a,b c,") == Fields{"a", "b c", ""});
  CHECK(fields_of("a\tb,c", '\t') == Fields{"a", "b,c"});
  CHECK(fields_of("") == Fields{""});
}

TEST_CASE("fields are put together with what is between them, empty ones too") {
  CHECK(joined({"a", "", "b"}, ", ") == "a, , b");
  CHECK(joined({"", "a"}, ";") == ";a");
  CHECK(joined({}, ";").empty());
}

} // namespace course::system
