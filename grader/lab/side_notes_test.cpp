#include "lab/side_notes.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

judge::Check failed(const std::string& what, std::uint64_t value, std::uint64_t low) {
  judge::Check check;
  check.status = judge::Status::failed;
  check.question = "the author's";
  check.measures = {{what, value, low, 100}};
  return check;
}

} // namespace

TEST_CASE("refused calls are noted once each, and at most three of them") {
  std::vector<std::string> notes;
  note_refusals({{"cudaMemcpy", "cudaErrorInvalidValue", "a symbol"},
                 {"cudaMemcpy", "cudaErrorInvalidValue", "a symbol"},
                 {"cudaMalloc", "cudaErrorMemoryAllocation", ""}},
                notes);
  CHECK(notes ==
        std::vector<std::string>{"cudaMemcpy was refused with cudaErrorInvalidValue: a symbol",
                                 "cudaMalloc was refused with cudaErrorMemoryAllocation"});
  notes.clear();
  note_refusals({{"a", "e", ""}, {"b", "e", ""}, {"c", "e", ""}, {"d", "e", ""}, {"f", "e", ""}},
                notes);
  CHECK(notes.size() == 4);
  CHECK(notes.back() == "2 more calls were refused");
}

TEST_CASE("a check that misses shared memory asks about the tile that the compiler removed") {
  const std::vector<device::RemovedArray> removed{{"row_row", "tile", 26}};
  std::vector<std::string> notes;
  std::vector<judge::Check> checks{failed("shared_loads", 0, 32)};
  note_removed(removed, checks, notes);
  CHECK(checks[0].question.find("removed `tile` of row_row, line 26") != std::string::npos);
  CHECK(notes.empty());
}

TEST_CASE("where another check fails, a removed tile is a note") {
  const std::vector<device::RemovedArray> removed{{"row_row", "tile", 26}};
  std::vector<std::string> notes;
  std::vector<judge::Check> checks{failed("sectors_loaded", 7, 0), failed("shared_loads", 64, 32)};
  note_removed(removed, checks, notes);
  CHECK(checks[0].question == "the author's");
  CHECK(checks[1].question == "the author's");
  CHECK(notes == std::vector<std::string>{
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
