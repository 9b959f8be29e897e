#include "cli/mcp/message_lines.hpp"

#include <doctest/doctest.h>

namespace course::cli::mcp {

TEST_CASE("a message is a line, however its bytes come") {
  MessageLines lines;
  lines.add("{\"a\"");
  CHECK_FALSE(lines.next());
  lines.add(":1}\n{}\r\n\n  \n[");
  CHECK(lines.next()->text == "{\"a\":1}");
  CHECK(lines.next()->text == "{}");
  CHECK_FALSE(lines.next());
  lines.add("]\n");
  CHECK(lines.next()->text == "[]");
  CHECK_FALSE(lines.next());
}

TEST_CASE("a line that is too long is said once, before its end, and the next one is read") {
  MessageLines lines(8);
  lines.add("123456789");
  const auto line = lines.next();
  REQUIRE(line);
  CHECK(line->too_long);
  CHECK(line->text.empty());
  lines.add("more of it");
  CHECK_FALSE(lines.next());
  lines.add("and its end\n12345678\n");
  CHECK(lines.next()->text == "12345678");
  CHECK_FALSE(lines.next());
}

TEST_CASE("a line that is too long and comes whole is said once, too") {
  MessageLines lines(8);
  lines.add("123456789\n{}\n");
  CHECK(lines.next()->too_long);
  CHECK(lines.next()->text == "{}");
  CHECK_FALSE(lines.next());
}

} // namespace course::cli::mcp
