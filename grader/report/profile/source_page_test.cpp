#include "report/profile/source_page.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

device::LineCounts counts(const char* file, std::uint32_t line, const char* access,
                          std::uint64_t wavefronts, std::uint64_t sectors) {
  device::LineCounts row;
  row.file = file;
  row.line = line;
  row.kind = model::kind_of(access).value();
  row.requests = 1024;
  row.wavefronts = wavefronts;
  row.ideal = wavefronts ? 1024 : 0;
  row.sectors = sectors;
  return row;
}

SourcePage two_files() {
  SourcePage page;
  page.title = "./turn";
  page.summary = {"Bank conflicts: many."};
  page.files = {{"/h/small.cuh", "a\nb\n"},
                {"/h/turn.cu", "one\nif (a < b) two;\nthree\n"},
                {"/h/unused.cuh", "never\n"}};
  page.lines = {counts("/h/small.cuh", 1, "global_load_4", 0, 10),
                counts("/h/turn.cu", 2, "shared_load_4", 32'768, 0),
                counts("/h/turn.cu", 3, "global_store_4", 0, 4096)};
  page.instructions = {{"turn", "/h/turn.cu", 2, 5000}};
  return page;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("each line of a source has its counts beside it, the most expensive file first") {
  const auto page = source_page(two_files());
  CHECK(has(page, "<title>./turn</title>"));
  CHECK(has(page, "<p>Bank conflicts: many.</p>"));
  CHECK(page.find("turn.cu</h2>") < page.find("small.cuh</h2>"));
  CHECK_FALSE(has(page, "unused.cuh"));
  CHECK(has(page, "<code>if (a &lt; b) two;</code>"));
  // Conflicts, with a number in few places, the whole of it, and its share of the worst line's.
  CHECK(
      has(page, "<span class=\"c hot\" style=\"--h:1.00\" title=\"31,744 conflicts\">32k</span>"));
  CHECK(has(page, "title=\"5,000 instructions\">5.0k</span>"));
}

TEST_CASE("a line knows its place by every column") {
  const auto page = source_page(two_files());
  // Line 2 is first by all but sectors, where line 3 is.
  CHECK(has(page, "style=\"--i:0;--r:0;--w:0;--c:0;--s:1;\"><span class=\"l\">2</span>"));
  CHECK(has(page, "style=\"--i:1;--r:1;--w:1;--c:1;--s:0;\"><span class=\"l\">3</span>"));
  CHECK(has(page, "<div class=\"row quiet\"><span class=\"l\">1</span>"));
  for (const char* column : {"i", "r", "w", "c", "s"})
    CHECK(has(page, std::string("input[value=") + column + "]:checked) > .row:not(.head) { order"));
}

TEST_CASE("findings stand at their lines with the other place, and cannot be markup") {
  auto page = two_files();
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.file = "/h/turn.cu";
  race.line = 3;
  race.other_line = 2;
  race.message = "writes <b>tile</b>";
  page.findings = {race};
  page.title = "<script>";
  const auto text = source_page(page);
  CHECK(has(text, "race with line 2: writes &lt;b&gt;tile&lt;/b&gt;."));
  CHECK_FALSE(has(text, "<script>"));
}

TEST_CASE(
    "of a long file only what is near a count is shown, and a file without text has its counts") {
  auto page = two_files();
  page.files[1].source.clear();
  for (int i = 0; i < 2000; ++i) page.files[1].source += "x\n";
  page.lines.push_back(counts("/h/turn.cu", 1000, "global_load_4", 0, 1));
  page.lines.push_back(counts("/h/turn.cu", 9'000'000, "global_load_4", 0, 1));
  const auto text = source_page(page);
  CHECK(has(text, "<span class=\"l\">1008</span>"));
  CHECK_FALSE(has(text, "<span class=\"l\">1009</span>"));
  CHECK_FALSE(has(text, "<span class=\"l\">500</span>"));
  CHECK_FALSE(has(text, "9000000"));
  CHECK(count(text, "<code>...</code>") == 1);

  page.files[1].source.clear();
  const auto bare = source_page(page);
  CHECK(has(bare, "Its text could not be read here."));
  CHECK(has(bare, "<span class=\"l\">1000</span>"));
  CHECK(has(bare, "<span class=\"l\">9000000</span>"));
}

TEST_CASE("a program without line numbers has a page that says what to do") {
  auto page = two_files();
  for (auto& row : page.lines) row.line = 0;
  page.instructions.clear();
  CHECK(has(source_page(page), "nvcc -lineinfo"));
}

} // namespace course::report
