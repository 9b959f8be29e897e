#include "report/words/count_words.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("counts that a GPU may have otherwise are named by their lines, for each reason") {
  std::vector<device::LineCounts> rows(6);
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i].line = 10 + i;
  CHECK(notes_on_counts(rows).empty());
  rows[0].width_from_sass = false;
  rows[1].may_fill = rows[2].may_fill = true;
  rows[3].at_least = rows[4].at_least = true;
  rows[3].conflicts_at_least = rows[5].at_least = true;
  rows[4].kind = model::kind_of("dshared_atomic_4").value();
  const auto notes = notes_on_counts(rows);
  REQUIRE(notes.size() == 5);
  CHECK(
      notes[0].starts_with("Note: the compiler may have made other accesses of those on line 10."));
  CHECK(notes[0].find("no check fails by that alone.") != std::string::npos);
  const auto open = notes_on_counts(rows, true);
  REQUIRE(open.size() == 5);
  CHECK(open[0].find("on line 10.") != std::string::npos);
  CHECK(open[0].find("a check is not measured for it") != std::string::npos);
  CHECK(open[0].find("no check fails by that alone") == std::string::npos);
  CHECK(notes[1].starts_with("Note: the atomics on line 13 try again"));
  CHECK(notes[1].find("at least what is shown") != std::string::npos);
  CHECK(notes[2].starts_with("Note: the atomics on line 15 try again"));
  CHECK(notes[2].find("but no more conflicts") != std::string::npos);
  CHECK(notes[3].starts_with("Note: lanes of one atomic on line 14 go to several other blocks."));
  CHECK(notes[4].starts_with("Note: the copies on lines 11 and 12 may fill"));
}

} // namespace course::report
