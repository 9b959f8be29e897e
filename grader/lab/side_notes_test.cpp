#include "lab/side_notes.hpp"

#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

judge::Check failed(const std::string& what, std::uint64_t value, std::uint64_t low) {
  judge::Check check;
  check.status = judge::Status::failed;
  check.measures = {{what, value, low, 100}};
  return check;
}

std::vector<std::string> said(const std::vector<judge::Note>& notes) {
  judge::Verdict verdict;
  verdict.notes = notes;
  return report::notes(verdict);
}

} // namespace

TEST_CASE("refused calls are noted once each, and at most three of them") {
  std::vector<judge::Note> notes;
  note_refusals({{"cudaMemcpy", "cudaErrorInvalidValue", "a symbol"},
                 {"cudaMemcpy", "cudaErrorInvalidValue", "a symbol"},
                 {"cudaMalloc", "cudaErrorMemoryAllocation", ""}},
                notes);
  CHECK(said(notes) ==
        std::vector<std::string>{"cudaMemcpy was refused with cudaErrorInvalidValue: a symbol",
                                 "cudaMalloc was refused with cudaErrorMemoryAllocation"});
  notes.clear();
  note_refusals({{"a", "e", ""}, {"b", "e", ""}, {"c", "e", ""}, {"d", "e", ""}, {"f", "e", ""}},
                notes);
  CHECK(notes.size() == 4);
  CHECK(said(notes).back() == "2 more calls were refused");
}

TEST_CASE("a check that misses shared memory asks about the tile that the compiler removed") {
  const std::vector<device::RemovedArray> removed{{"row_row", "tile", 26}};
  std::vector<judge::Note> notes;
  std::vector<judge::Check> checks{failed("shared_loads", 0, 32)};
  note_removed(removed, checks, notes);
  REQUIRE(checks[0].removed);
  CHECK(checks[0].removed->name == "tile");
  CHECK(checks[0].removed->line == 26);
  CHECK(notes.empty());
}

TEST_CASE("where another check fails, a removed tile is a note") {
  const std::vector<device::RemovedArray> removed{{"row_row", "tile", 26}};
  std::vector<judge::Note> notes;
  std::vector<judge::Check> checks{failed("sectors_loaded", 7, 0), failed("shared_loads", 64, 32)};
  note_removed(removed, checks, notes);
  CHECK_FALSE(checks[0].removed);
  CHECK_FALSE(checks[1].removed);
  CHECK(said(notes) == std::vector<std::string>{
                           "the compiler removed `tile` of row_row, line 26: no value needs it"});
  note_removed({}, checks, notes);
  CHECK(notes.size() == 1);
}

TEST_CASE("a trap for a store to constant memory becomes that store, on its line") {
  device::Observation observed;
  observed.findings.resize(2);
  observed.findings[0].kind = device::FindingKind::trap;
  observed.findings[1].kind = device::FindingKind::trap;
  observed.findings[1].line = 7; // the student's own
  const std::string warning =
      "warning: 2_pad.cu(4): Warning: Cannot store to pointer that points to constant memory space";
  name_constant_store(observed, "", "2_pad.cu");
  CHECK(observed.findings[0].kind == device::FindingKind::trap);
  name_constant_store(observed, "2_pad.cu(9): warning\n" + warning, "2_pad.cu");
  CHECK(observed.findings[0].kind == device::FindingKind::read_only);
  CHECK(observed.findings[0].line == 4);
  CHECK(observed.findings[1].kind == device::FindingKind::trap);
}

} // namespace course::lab
