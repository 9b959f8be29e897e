#include "conformance/table.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::conformance {
namespace {

std::variant<Table, std::string> table(const char* text) {
  std::istringstream stream(text);
  return read_table(stream);
}

} // namespace

TEST_CASE("remarks, columns and rows are told apart, in lines of either ending") {
  const auto read = table("# device: NVIDIA H200\n#\nfile,line\r\na.cu,3\r\n\nb.cu,4\n");
  REQUIRE(std::holds_alternative<Table>(read));
  const auto& found = std::get<Table>(read);
  REQUIRE(found.remarks.size() == 2);
  CHECK(found.remarks[0] == "device: NVIDIA H200");
  REQUIRE(found.rows.size() == 2);
  CHECK(found.rows[0].at("file") == "a.cu");
  CHECK(found.rows[1].at("line") == "4");
}

TEST_CASE("a quoted field keeps its commas and quotes") {
  for (const std::string field : {"turn<32, 32>", "say \"two\"", "plain", ""}) {
    const auto read = table(("kernel,line\n" + quoted(field) + ",7\n").c_str());
    REQUIRE(std::holds_alternative<Table>(read));
    CHECK(std::get<Table>(read).rows.at(0).at("kernel") == field);
  }
}

TEST_CASE("a line of another length, or with an open quote, is an error that names it") {
  CHECK(std::get<std::string>(table("a,b\n1,2\n1\n")) == "line 3: 1 fields, and 2 columns");
  CHECK(std::get<std::string>(table("a,b\n\"1,2\n")) == "line 2: a quote does not end");
}

} // namespace course::conformance
