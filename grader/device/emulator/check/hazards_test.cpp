// The memory checker on pairs of kernels: the mistake is found, its mended twin is silent.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

struct Pair {
  const char* name;
  FindingKind kind;
  std::uint32_t threads;
  bool takes_count = false;
  std::uint32_t line = 0, other_line = 0; // 0: not checked
};

TestRun run_one(const std::string& kernel, const Pair& pair) {
  TestRun run("hazards.ptx");
  const auto out = run.buffer("out", std::vector<int>(256, -1));
  std::vector<int> in(1024);
  std::iota(in.begin(), in.end(), 1);
  const auto from = run.buffer("in", in);
  if (pair.takes_count)
    run.launch(kernel, {1}, {pair.threads}, 0, out, from, 40);
  else
    run.launch(kernel, {1}, {pair.threads}, 0, out, from);
  run.run();
  return run;
}

} // namespace

TEST_CASE("each mistake is found and its mended twin is silent") {
  const Pair pairs[] = {
      {"neighbour", FindingKind::race, 256, false, 5, 4},
      {"two_uses", FindingKind::race, 256, false, 18, 20},
      {"warp_tail", FindingKind::race, 64},
      {"divergent_barrier", FindingKind::barrier, 64, false, 72},
      {"early_return", FindingKind::barrier, 64, true, 88},
      {"halo", FindingKind::uninitialised, 64, false, 102},
      {"double_buffer", FindingKind::race, 64},
      {"same_element", FindingKind::race, 64, false, 137},
      {"histogram", FindingKind::race, 256},
      {"bytes", FindingKind::race, 64},
      {"half_sync", FindingKind::race, 32},
  };
  for (const Pair& pair : pairs) {
    const std::string name = pair.name;
    CAPTURE(name);
    const TestRun buggy = run_one(name + "_buggy", pair);
    CHECK_MESSAGE(buggy.found(pair.kind), buggy.findings());
    if (pair.line) {
      bool at_line = false;
      for (const device::Finding& finding : buggy.seen.findings)
        at_line = at_line || (finding.kind == pair.kind && finding.line == pair.line &&
                              (!pair.other_line || finding.other_line == pair.other_line));
      CHECK_MESSAGE(at_line, buggy.findings());
    }
    const TestRun mended = run_one(name + "_mended", pair);
    CHECK(mended.findings() == "");
    CHECK(mended.why() == "");
  }
}

TEST_CASE("a race names array, element, both threads and both lines") {
  // These two are of one warp, and a __syncwarp() would not do: others are not.
  const TestRun run = run_one("neighbour_buggy", {"", FindingKind::race, 256});
  REQUIRE(run.seen.findings.size() == 2); // whichever came first, the write or the read
  const device::Finding& finding = run.seen.findings[1];
  CHECK(device::spelled(finding.message) ==
        "meets(reads(element(s[1], 4)), wrote(thread((1,0,0))), no_barrier())");
  CHECK(finding.kernel == "neighbour_buggy");
  CHECK(finding.file == "hazards.cu");
  CHECK(finding.line == 5);
  CHECK(finding.other_line == 4);
  CHECK(finding.thread == device::Dim3{0, 0, 0});
  CHECK(finding.count > 1);
  CHECK_FALSE(finding.fatal);
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "meets(writes(element(s[32], 128)), did_read(thread((31,0,0))), no_barrier())");
}

TEST_CASE("a barrier in a divergent branch says who waits and who does not come") {
  const TestRun run = run_one("divergent_barrier_buggy", {"", FindingKind::barrier, 64});
  CHECK(run.seen.status == device::Observation::Status::failed);
  REQUIRE_FALSE(run.seen.findings.empty());
  const device::Finding& finding = run.seen.findings.back();
  CHECK(finding.fatal);
  CHECK(device::spelled(finding.message).find("waits_for_branch(16, 64, ") == 0);
  CHECK(device::spelled(finding.message).find("lanes 0xffff0000, 0)") != std::string::npos);
}

TEST_CASE("threads that ended before a barrier are counted") {
  const TestRun run = run_one("early_return_buggy", {"", FindingKind::barrier, 64, true});
  REQUIRE(run.found(FindingKind::barrier));
  CHECK(device::spelled(run.seen.findings[0].message).find("ended_before_barrier(24, 64)") == 0);
}

TEST_CASE("without checks there are no races, but bounds hold") {
  TestRun run("hazards.ptx");
  const auto out = run.buffer("out", std::vector<int>(256));
  const auto in = run.buffer("in", std::vector<int>(100));
  run.launch("neighbour_buggy", {1}, {256}, 0, out, in).run({0, false});
  CHECK_FALSE(run.found(FindingKind::race));
  CHECK(run.found(FindingKind::out_of_bounds));
}

} // namespace course::emulator
