#include "runtime/kernel_title.hpp"
#include "runtime/plain_text.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

TEST_CASE("a kernel is called what its author called it") {
  CHECK(kernel_title("_Z9transposePfPKfii") == "transpose");
  CHECK(kernel_title("_Z2tkILi3EEvPi") == "tk<3>");
  CHECK(kernel_title("_ZN3lab4tileEPf") == "lab::tile");
  CHECK(kernel_title("_ZN12_GLOBAL__N_14tileEPf") == "(anonymous namespace)::tile");
}

TEST_CASE("a name that is not mangled stays as it is") {
  CHECK(kernel_title("scale") == "scale");
  CHECK(kernel_title("_Zwhatever") == "_Zwhatever");
}

TEST_CASE("a hostile name is cut and cleaned") {
  CHECK(kernel_title("\x1b[31mred\n") == "?[31mred?");
  CHECK(kernel_title(std::string(100'000, 'P')).size() == 503);
  std::string nested = "_Z1f";
  for (int i = 0; i < 50'000; ++i) nested += "P";
  CHECK(kernel_title(nested).size() == 503);
}

TEST_CASE("plain text has nothing that a terminal obeys") {
  CHECK(plain_text("caf\xc3\xa9\t\x1b]0;title\x07") == "caf???"
                                                       "?]0;title?");
  CHECK(plain_text("all of it, as it was") == "all of it, as it was");
}

} // namespace course::runtime
