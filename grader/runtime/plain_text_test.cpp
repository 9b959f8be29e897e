#include "runtime/plain_text.hpp"

#include <doctest/doctest.h>

namespace course::runtime {

TEST_CASE("plain text has nothing that a terminal obeys") {
  CHECK(plain_text("caf\xc3\xa9\t\x1b]0;title\x07") == "caf???"
                                                       "?]0;title?");
  CHECK(plain_text("all of it, as it was") == "all of it, as it was");
}

} // namespace course::runtime
