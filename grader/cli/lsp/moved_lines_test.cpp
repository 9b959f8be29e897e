#include "cli/lsp/moved_lines.hpp"

#include <doctest/doctest.h>

namespace course::cli {
namespace {

// Words behind lines 2, 4 and 6.
report::EditorFile three_lines() {
  report::EditorFile file;
  for (const std::uint32_t line : {2u, 4u, 6u}) {
    file.marks.push_back({line, 0, 1, report::MarkLevel::error, "race", "m", 4, "other"});
    file.words.push_back({line, 9, "words", "more"});
    file.pages.push_back({line, "page"});
  }
  return file;
}

std::vector<std::uint32_t> lines_after(const Edit& edit) {
  auto file = three_lines();
  move_with(file, edit);
  std::vector<std::uint32_t> lines;
  for (const auto& words : file.words) lines.push_back(words.line);
  CHECK(file.pages.size() == lines.size());
  CHECK(file.marks.size() == lines.size());
  return lines;
}

using Lines = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("lines that are written above move the rest down, removed ones up") {
  CHECK(lines_after({0, 0, 0, 0, "one\ntwo\n"}) == Lines{4, 6, 8});
  CHECK(lines_after({2, 0, 3, 0, ""}) == Lines{2, 3, 5});
  CHECK(lines_after({9, 0, 9, 0, "below\n"}) == Lines{2, 4, 6});
}

TEST_CASE("a new line behind a line leaves its words alone") {
  CHECK(lines_after({3, 20, 3, 20, "\n  new"}) == Lines{2, 4, 7});
  CHECK(lines_after({3, 20, 3, 20, "\r\n"}) == Lines{2, 4, 7});
}

TEST_CASE("what is said of a line goes when the line is changed") {
  CHECK(lines_after({3, 5, 3, 5, "+ 1"}) == Lines{2, 6});
  CHECK(lines_after({3, 0, 4, 0, ""}) == Lines{2, 5});
  CHECK(lines_after({1, 3, 3, 2, "joined"}) == Lines{4});
  CHECK(lines_after({0, 0, UINT32_MAX, 1, ""}).empty());
}

TEST_CASE("the other line of a mark moves as well") {
  auto file = three_lines();
  move_with(file, {2, 0, 2, 0, "\n"});
  CHECK(file.marks[0].other_line == 5);
}

TEST_CASE("an edit that ends before it begins changes nothing") {
  CHECK(lines_after({5, 0, 2, 0, "x\n"}) == Lines{2, 4, 6});
}

} // namespace course::cli
