// The memory checker on pairs.cu: the buggy kernel of each pair is reported, with the kind in the
// table below, on the lines that its source marks and on no other; its mended twin is not reported.
//
// pairs.ptx is what nvcc made of pairs.cu; compiled_test.cpp checks that it still does.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <set>

namespace course::emulator {
namespace {

using device::FindingKind;

constexpr const char* kFolder = COURSE_SOURCE_DIR "/grader/device/emulator/findings/";
constexpr std::uint32_t kThreads = 128;

struct Pair {
  const char* name;
  FindingKind kind;
};
constexpr Pair kPairs[] = {
    {"missing_barrier", FindingKind::race},
    {"second_use", FindingKind::race},
    {"tile_loop", FindingKind::race},
    {"volatile_tail", FindingKind::race},
    {"syncwarp_tail", FindingKind::race},
    {"barrier_in_branch", FindingKind::barrier},
    {"early_return", FindingKind::barrier},
    {"halo", FindingKind::uninitialised},
    {"halo_early", FindingKind::race},
    {"double_buffer", FindingKind::race},
    {"buffer_swap", FindingKind::race},
    {"counter", FindingKind::race},
    {"counter_start", FindingKind::uninitialised},
    {"counter_read", FindingKind::race},
    {"two_writers", FindingKind::race},
    {"syncwarp_for_block", FindingKind::race},
    {"shuffle_is_no_fence", FindingKind::race},
    {"bytes", FindingKind::race},
    {"dynamic", FindingKind::uninitialised},
    {"overrun", FindingKind::out_of_bounds},
    {"global_past_end", FindingKind::out_of_bounds},
    {"global_uninitialised", FindingKind::uninitialised},
    {"local_hole", FindingKind::uninitialised},
    {"misaligned", FindingKind::misaligned},
    {"shuffle_inactive", FindingKind::shuffle},
};

// The lines of a kernel that its source marks.
struct Marks {
  std::set<std::uint32_t> mistakes, others;

  bool marked(std::uint32_t line) const { return mistakes.count(line) || others.count(line); }
};

std::map<std::string, Marks> marks_of_kernels() {
  std::ifstream file(std::string(kFolder) + "pairs.cu");
  REQUIRE(file);
  std::map<std::string, Marks> marks;
  std::string kernel;
  std::uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("KERNEL(")) {
      kernel = line.substr(7, line.find(')') - 7);
      marks[kernel];
    }
    if (line.starts_with("  ") && line.ends_with("//! mistake"))
      marks[kernel].mistakes.insert(number);
    if (line.starts_with("  ") && line.ends_with("//! other")) marks[kernel].others.insert(number);
  }
  return marks;
}

TestRun run_kernel(const std::string& kernel) {
  static const std::string ptx = read_file(std::string(kFolder) + "pairs.ptx");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<int>(kThreads), false);
  std::vector<int> numbers(kThreads);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto in = run.buffer("in", numbers);
  run.launch(kernel, {1}, {kThreads}, 2048, out, in).run();
  return run;
}

} // namespace

TEST_CASE("every mistake is reported with its kind, on the lines marked and no other") {
  const auto marks = marks_of_kernels();
  for (const Pair& pair : kPairs) {
    const std::string kernel = std::string(pair.name) + "_buggy";
    CAPTURE(kernel);
    REQUIRE(marks.count(kernel));
    const Marks& expected = marks.at(kernel);
    REQUIRE(!expected.mistakes.empty());
    const TestRun run = run_kernel(kernel);
    CAPTURE(run.findings());
    std::set<std::uint32_t> lines, others;
    for (const device::Finding& finding : run.seen.findings) {
      CHECK(finding.kind == pair.kind);
      CHECK(finding.file == "pairs.cu");
      CHECK(finding.kernel == kernel);
      CHECK(expected.marked(finding.line));
      if (finding.kind == FindingKind::race) CHECK(expected.marked(finding.other_line));
      lines.insert(finding.line);
      others.insert(finding.other_line);
    }
    for (const std::uint32_t line : expected.mistakes) CHECK_MESSAGE(lines.count(line), line);
    for (const std::uint32_t line : expected.others) CHECK_MESSAGE(others.count(line), line);
  }
}

TEST_CASE("no mended twin is reported") {
  for (const Pair& pair : kPairs) {
    const std::string kernel = std::string(pair.name) + "_mended";
    CAPTURE(kernel);
    const TestRun run = run_kernel(kernel);
    CHECK(run.findings() == "");
    CHECK(run.seen.reason == "");
    CHECK(run.seen.status == device::Observation::Status::completed);
  }
}

TEST_CASE("every kernel of pairs.cu is in the table, and every mistake has a mended twin") {
  std::set<std::string> tested;
  for (const Pair& pair : kPairs) {
    tested.insert(std::string(pair.name) + "_buggy");
    tested.insert(std::string(pair.name) + "_mended");
  }
  std::set<std::string> written;
  for (const auto& [kernel, marks] : marks_of_kernels()) {
    written.insert(kernel);
    CAPTURE(kernel);
    CHECK(marks.mistakes.empty() == kernel.ends_with("_mended"));
  }
  CHECK(tested == written);
}

TEST_CASE("a mended kernel with its barrier taken out is reported again") {
  std::string ptx = read_file(std::string(kFolder) + "pairs.ptx");
  const std::size_t kernel = ptx.find(".entry missing_barrier_mended");
  const std::size_t barrier = ptx.find("bar.sync", kernel);
  REQUIRE(barrier < ptx.find(".entry ", kernel + 1));
  ptx.replace(barrier, ptx.find(';', barrier) + 1 - barrier, "");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<int>(kThreads), false);
  const auto in = run.buffer("in", std::vector<int>(kThreads, 7));
  run.launch("missing_barrier_mended", {1}, {kThreads}, 0, out, in).run();
  CHECK(run.found(FindingKind::race));
}

} // namespace course::emulator
