#include "classroom/csv_table.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("cells are read as RFC 4180 quotes them, with the line that each row begins on") {
  const auto rows = csv_rows_of("a,\"b, \"\"c\"\"\nd\", e \r\n\r\nf,,g\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cells == std::vector<std::string>{"a", "b, \"c\"\nd", "e"});
  CHECK(rows[1].cells == std::vector<std::string>{"f", "", "g"});
  CHECK(rows[1].line == 4);
}

TEST_CASE("separators and encodings of other programs are found out") {
  CHECK(csv_rows_of("a;b,c;d")[0].cells == std::vector<std::string>{"a", "b,c", "d"});
  CHECK(csv_rows_of("a\tb")[0].cells.size() == 2);
  CHECK(csv_rows_of("L\xf6ve,x")[0].cells[0] == "Löve");
  CHECK(csv_rows_of("").empty());
  CHECK(csv_rows_of("\"never closed,\n").size() == 1);
}

TEST_CASE("columns are known by name, however it is written") {
  const CsvTable table("\xef\xbb\xbfSIS User ID,Full name\n7,Anna\n8\n");
  REQUIRE(table.rows().size() == 2);
  CHECK(table.has("sis_user_id"));
  CHECK(table.cell(table.rows()[0], {"ID number", "SIS User ID"}) == "7");
  CHECK(table.cell(table.rows()[1], {"Full Name"}) == "");
  CHECK(table.cell(table.rows()[0], {"e-mail"}) == "");
  CHECK(CsvTable("").rows().empty());
}

} // namespace course::classroom
