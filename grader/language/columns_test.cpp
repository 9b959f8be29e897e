#include "language/columns.hpp"

#include <doctest/doctest.h>

namespace course::language {

TEST_CASE("a letter takes a column, a Chinese character two, an accent none") {
  CHECK(columns("bank") == 4);
  CHECK(columns("存储体") == 6);
  CHECK(columns("32 个存储体。") == 13);
  CHECK(columns("e\u0301") == 1);
  CHECK(columns("→ ×") == 3);
}

TEST_CASE("bytes that are not UTF-8 take a column each") {
  CHECK(columns("\xff\xc3") == 2);
  CHECK(columns("\xe4\xb8") == 2);
}

TEST_CASE("a head is never wider than asked, and no character is cut") {
  CHECK(head("存储体", 5) == "存储");
  CHECK(head("a存储体", 3) == "a存");
  CHECK(head("bank", 9) == "bank");
  CHECK(head("存", 1).empty());
}

TEST_CASE("padding counts columns") {
  CHECK(padded("存储体", 8) == "存储体  ");
  CHECK(right("存储体", 8) == "  存储体");
  CHECK(padded("too long", 3) == "too long");
}

} // namespace course::language
