#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

TestRun run_one(const std::string& kernel, bool lenient = true) {
  TestRun run("carved.ptx");
  const auto out = run.buffer("out", std::vector<int>(64), false);
  std::vector<int> in(256);
  std::iota(in.begin(), in.end(), 1);
  const auto from = run.buffer("in", in);
  run.launch(kernel, {1}, {64}, 1024, out, from, 40).run({.lenient = lenient});
  return run;
}

} // namespace

TEST_CASE("an array that reads what another has stored over it may overlap, which is a note") {
  const TestRun run = run_one("by_count");
  REQUIRE(run.seen.findings.size() == 1);
  const auto& finding = run.seen.findings[0];
  CHECK(finding.kind == FindingKind::overlap);
  CHECK(device::is_note(finding.kind));
  CHECK(finding.line == 14);
  CHECK(finding.other_line == 12);
  CHECK(finding.count == 24);
  CHECK(device::spelled(finding.message) ==
        "lost_to_another_array(reads(element(memory[40], 160)), 12, 10)");
  CHECK(run_one("by_bytes").found(FindingKind::overlap));
}

TEST_CASE("a grading does not ask about arrays in dynamic shared memory") {
  CHECK(run_one("by_count", false).findings() == "");
}

TEST_CASE("arrays that share their memory in turn do not overlap") {
  for (const char* kernel : {"by_threads", "zeros_first", "scan", "stencil", "used_again", "rounds",
                             "sentinel", "turns", "refilled"}) {
    CAPTURE(kernel);
    const TestRun run = run_one(kernel);
    CHECK(run.findings() == "");
    CHECK(run.why() == "");
  }
}

} // namespace course::emulator
