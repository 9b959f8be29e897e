#include "progress/terminal_page.hpp"

#include "report/text.hpp"

#include <doctest/doctest.h>

namespace course::progress {
namespace {

Page page(std::size_t lines) {
  Page page{"title", "status", "", 0, {"quit with the key q, if you like", "q quit"}};
  for (std::size_t i = 0; i < lines; ++i) page.body += "line " + std::to_string(i) + "\n";
  return page;
}

} // namespace

TEST_CASE("a page has as many lines as the screen has rows, the keys on the last") {
  const auto lines = report::lines_of(page_text(page(3), {20, 10}));
  REQUIRE(lines.size() == 10);
  CHECK(lines[0] == "title");
  CHECK(lines[3] == "line 0");
  CHECK(lines[6] == "");
  CHECK(lines[9] == "q quit");
  CHECK(page_text(page(3), {40, 10}).ends_with("quit with the key q, if you like"));
}

TEST_CASE("a body that is longer says how to see the rest, and its end how to go back") {
  const Size size{30, 10};
  auto long_page = page(8);
  CHECK(body_rows(size) == 6);
  CHECK(last_from(long_page, size) == 2);
  CHECK(page_text(long_page, size).find("space: 2 more  q quit") != std::string::npos);
  long_page.from = 2;
  CHECK(page_text(long_page, size).find("line 7") != std::string::npos);
  CHECK(page_text(long_page, size).find("b back  q quit") != std::string::npos);
  long_page.from = 100; // the body has become shorter since
  CHECK(page_text(long_page, size).find("line 7") != std::string::npos);
}

TEST_CASE("no screen is too small") {
  for (const int rows : {0, 1, 2, 3, 4, 5})
    for (const int columns : {1, 2, 10}) {
      const auto lines = report::lines_of(page_text(page(9), {columns, rows}));
      CHECK(lines.size() <= static_cast<std::size_t>(std::max(rows, 1)));
      for (const auto& line : lines)
        CHECK(report::columns(line) <= static_cast<std::size_t>(columns));
    }
}

TEST_CASE("a painted page never clears a line after it was written to its last column") {
  const auto text = painted(page(3), {6, 10});
  CHECK(text.find("status\r\n") != std::string::npos);
  CHECK(text.starts_with("\033[H\033[Ktitle\r\n\033[Kstatus\r\n"));
}

TEST_CASE("colours take no room, and do not run on past the cut") {
  CHECK(cropped("\033[1mabc\033[0mdef", 4) == "\033[1mabc\033[0md");
  CHECK(cropped("\033[1mabc\033[0m", 2) == "\033[1mab\033[0m");
  CHECK(cropped("äöü", 2) == "äö");
  CHECK(cropped("abc", 3) == "abc");
  CHECK(cropped("", 3) == "");
}

} // namespace course::progress
