#include "report/editor/source_columns.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

std::pair<std::uint32_t, std::uint32_t> pair(Columns columns) {
  return {columns.from, columns.to};
}

} // namespace

TEST_CASE("a line's columns are those of its text, without the blanks around it") {
  const SourceLines lines("int a;\n  out[i] = 1; \r\n\n   \nlast");
  CHECK(lines.count() == 5);
  CHECK(pair(lines.text_of(1)) == std::pair{0u, 6u});
  CHECK(pair(lines.text_of(2)) == std::pair{2u, 13u});
  CHECK(pair(lines.text_of(3)) == std::pair{0u, 0u});
  CHECK(pair(lines.text_of(4)) == std::pair{0u, 3u});
  CHECK(lines.end_of(2) == 14); // the blank behind it counts, the carriage return does not
  CHECK(lines.end_of(5) == 4);
}

TEST_CASE("a line that is not there has no columns") {
  const SourceLines lines("one\n");
  CHECK(pair(lines.text_of(0)) == std::pair{0u, 0u});
  CHECK(pair(lines.text_of(2)) == std::pair{0u, 0u});
  CHECK(lines.end_of(9) == 0);
}

TEST_CASE("columns count as editors do: two for what is beyond U+FFFF, one for other characters") {
  const SourceLines lines("// \xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80 end\n");
  CHECK(lines.end_of(1) == 13);
}

TEST_CASE("what is underlined is found behind tabs and letters of several bytes") {
  const SourceLines lines("\tx\xc3\xa9 = tile[i];\n");
  // In the printed line the tab is eight columns: the subscript begins at 8 + 5.
  CHECK(pair(lines.underlined(1, Underline{13, 7})) == std::pair{6u, 13u});
  CHECK(pair(lines.underlined(1, std::nullopt)) == std::pair{1u, 14u});
}

TEST_CASE("a name is found where it is called or defined, whole") {
  const SourceLines lines("// turn\nvoid return_(int);\n__global__ void turn(float* out) {\n");
  CHECK(lines.first_with("turn") == 3);
  CHECK(lines.first_with("missing") == 0);
  CHECK(lines.first_with("") == 0);
}

} // namespace course::report
