// setmaxnreg as bench/hopper/limits.cu measured it on an H200. Kernels of sass/data/registers.cu.
#include "device/code/sass/sample.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

namespace course::emulator {
namespace {

using device::FindingKind;

TestRun run_of(const std::string& kernel, std::uint32_t threads, bool with_cubin = true) {
  TestRun run(sass::sample_text("registers.ptx"));
  if (with_cubin) run.job.modules[0].cubin = sass::sample_cubin("registers");
  const auto out = run.buffer("out", std::vector<int>(385));
  run.launch(kernel, {1}, {threads}, 0, out).run();
  return run;
}

// Case, launched with so many threads, whether it ended.
struct Measured {
  std::string name;
  std::uint32_t threads = 0;
  bool ended = false;
};
std::vector<Measured> measured() {
  std::istringstream table(read_file(COURSE_SOURCE_DIR "/book/data/h200/hopper_limits.csv"));
  std::vector<Measured> all;
  for (std::string line; std::getline(table, line);) {
    const auto at = line.find(',');
    if (line.find(" threads of ") == line.npos) continue;
    all.push_back({line.substr(0, at), static_cast<std::uint32_t>(std::stoul(line.substr(at + 1))),
                   line.find(",yes,") != line.npos});
  }
  return all;
}

} // namespace

TEST_CASE("a kernel whose warps ask for registers ends where it ended on an H200") {
  int ended = 0, never = 0;
  for (const Measured& one : measured()) {
    if (one.name == "kept_and_waits") continue; // that loop ends by its budget
    INFO(one.name);
    const TestRun run = run_of(one.name, one.threads);
    CHECK(run.findings().empty() == one.ended);
    CHECK(run.found(FindingKind::registers) != one.ended);
    (one.ended ? ended : never) += 1;
  }
  CHECK(ended == 4);
  CHECK(never == 6);
}

TEST_CASE("who waits for registers is told how many there are, and who has them") {
  const auto says = [](const std::string& kernel, std::uint32_t threads) {
    return run_of(kernel, threads).findings();
  };
  CHECK(says("kept", 384).find("registers_never_come(232, 168, 8192, 0, registers_lost(0, 168))") !=
        std::string::npos);
  CHECK(says("one_warp", 384)
            .find("registers_never_come(232, 168, 8192, 4096, registers_lost(1, 168))") !=
        std::string::npos);
  CHECK(says("too_many", 384)
            .find("registers_never_come(240, 168, 9216, 7168, "
                  "registers_beyond_launch(66560, 64512))") != std::string::npos);
  CHECK(says("half_of_the_multiprocessor", 256)
            .find("registers_never_come(256, 128, 16384, 0, "
                  "registers_beyond_launch(65536, 32768))") != std::string::npos);
}

TEST_CASE("who waits for registers is why others wait for a phase for ever") {
  const TestRun run = run_of("kept_by_a_producer", 384);
  REQUIRE(run.seen.findings.size() == 1);
  const device::Finding& finding = run.seen.findings[0];
  CHECK(finding.kind == FindingKind::registers);
  CHECK(finding.fatal);
  CHECK(device::spelled(finding.message).find("registers_kept(0, 168, ") != std::string::npos);
  CHECK(finding.line != 0);
  CHECK(finding.other_line != 0);
}

TEST_CASE(
    "a setmaxnreg that the machine code has not, or that nobody knows of, waits for nothing") {
  CHECK(run_of("left_out", 384).findings().empty());
  CHECK(run_of("kept", 384, false).findings().empty());
}

} // namespace course::emulator
