// What orders accesses to global memory, and what does not: pairs of kernels of data/races.cu.
// Long, because its lists name every pair.
#include "device/emulator/check/findings.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace course::emulator {
namespace {

using device::FindingKind;
using Kind = device::Order::Kind;

TestRun run_one(const std::string& kernel, const Options& options = {},
                const device::Order& order = {}) {
  TestRun run("races.ptx");
  std::vector<int> in(4096);
  std::iota(in.begin(), in.end(), 1);
  const auto out = run.buffer("out", std::vector<int>(4096));
  const auto from = run.buffer("in", in);
  run.job.order = order;
  run.job.instruction_budget = 20'000'000;
  run.launch(kernel, {8}, {128}, 0, out, from).run(options);
  return run;
}

// Everything that a report could show.
std::string all_of(const TestRun& run) {
  std::string all = run.findings() + run.why() + run.seen.printed;
  for (const device::Finding& finding : run.seen.findings) {
    for (const std::uint32_t number :
         {finding.block.x, finding.thread.x, static_cast<std::uint32_t>(finding.count)})
      all += std::to_string(number) + " ";
  }
  for (const device::LineCounts& line : run.seen.lines)
    all += std::to_string(line.line) + name_of(line.kind) + std::to_string(line.requests) + " " +
           std::to_string(line.sectors) + " " + std::to_string(line.wavefronts) + "\n";
  for (const device::LaunchCounts& launch : run.seen.launches)
    all += std::to_string(launch.instructions) + "\n";
  for (const int value : run.result<int>(0)) all += std::to_string(value) + " ";
  return all;
}

const char* const kRacing[] = {"sum_buggy",
                               "neighbour_block_buggy",
                               "block_scope_buggy",
                               "half_beside_a_word_buggy",
                               "same_word_buggy",
                               "neighbour_warp_buggy",
                               "neighbour_lane_buggy",
                               "volatile_lanes_buggy",
                               "last_block_buggy",
                               "late_fence_buggy",
                               "block_fence_buggy",
                               "parts_of_all_buggy",
                               "pass_on_buggy",
                               "wait_buggy",
                               "lock_buggy",
                               "lane_lock_buggy",
                               "plain_unlock_buggy",
                               "scope_buggy",
                               "flag_in_block_buggy",
                               "relaxed_tail_buggy",
                               "released_before_buggy",
                               "in_place_buggy",
                               "two_values_buggy",
                               "one_value_and_a_read_buggy",
                               "sizes_add_buggy",
                               "sizes_of_blocks_buggy",
                               "sizes_read_buggy",
                               "sizes_parts_buggy",
                               "sizes_in_shared_buggy"};
const char* const kSilent[] = {"sum_mended",
                               "neighbour_block_mended",
                               "block_scope_mended",
                               "bytes_of_a_word_mended",
                               "half_beside_a_word_mended",
                               "same_word_mended",
                               "neighbour_warp_mended",
                               "neighbour_lane_mended",
                               "last_block_mended",
                               "late_fence_mended",
                               "parts_of_all_mended",
                               "pass_on_mended",
                               "wait_mended",
                               "lock_mended",
                               "lane_lock_mended",
                               "scope_mended",
                               "flag_in_block_mended",
                               "released_before_mended",
                               "in_place_mended",
                               "exchange_mended",
                               "sizes_add_mended",
                               "sizes_pair_mended",
                               "sizes_beside_mended",
                               "sizes_in_turn_mended",
                               "sizes_in_shared_mended"};

} // namespace

TEST_CASE("a kernel that runs out of its budget has the races of its beginning") {
  TestRun run("races.ptx");
  const auto out = run.buffer("out", std::vector<int>(4096));
  const auto from = run.buffer("in", std::vector<int>(4096, 1));
  run.job.instruction_budget = 200;
  run.launch("sum_buggy", {8}, {128}, 0, out, from).run();
  const auto count = [&](FindingKind kind) {
    return std::ranges::count(run.seen.findings, kind, &device::Finding::kind);
  };
  CHECK(count(FindingKind::budget) == 1);
  CHECK(count(FindingKind::race) == 1);
}

TEST_CASE("threads in conflict without an order are a race, in any order of execution") {
  for (const std::string name : kRacing) {
    for (const Kind kind : {Kind::by_index, Kind::drawn, Kind::backwards}) {
      CAPTURE(name);
      CAPTURE(static_cast<int>(kind));
      const TestRun run = run_one(name, {}, {kind, 7});
      CHECK_MESSAGE(run.found(FindingKind::race), run.findings(), run.why());
    }
  }
}

TEST_CASE("threads that are ordered are no race, in any order of execution") {
  for (const std::string name : kSilent) {
    for (const Kind kind : {Kind::by_index, Kind::drawn, Kind::backwards}) {
      CAPTURE(name);
      CAPTURE(static_cast<int>(kind));
      const TestRun run = run_one(name, {}, {kind, 7});
      CHECK(run.findings() == "");
      CHECK(run.why() == "");
    }
  }
}

TEST_CASE("what is missing between atomics of two sizes is named") {
  for (const std::string name : {"sizes_add_buggy", "sizes_in_shared_buggy"})
    for (const device::Finding& finding : run_one(name).seen.findings)
      CHECK(device::spelled(finding.message).find(", no_order_size(") != std::string::npos);
}

TEST_CASE("a read-only load of what the launch writes is told, whatever orders the two") {
  for (const std::string name :
       {"read_only_own_word", "read_only_behind_barrier", "read_only_before_store",
        "read_only_beside_atomic", "read_only_half", "read_only_parts"})
    for (const Kind kind : {Kind::by_index, Kind::drawn, Kind::backwards})
      for (const unsigned cores : {1u, 7u}) {
        CAPTURE(name);
        const TestRun run = run_one(name, {cores}, {kind, 7});
        REQUIRE(run.seen.findings.size() == 1);
        CHECK(run.seen.findings[0].kind == FindingKind::stale_load);
      }
  CHECK(run_one("read_only_behind_barrier").findings() ==
        "stale load line 415 and 413: load_misses_store(reads(element_of(out, 1, 4)), "
        "thread((1,0,0)))\n");
  CHECK(run_one("read_only_before_store").findings() ==
        "stale load line 421 and 419: store_breaks_promise(writes(element_of(out, 0, 0)), "
        "thread((1,0,0)))\n");
}

TEST_CASE("a read-only load of words and bytes that the launch does not write is none") {
  for (const std::string name :
       {"read_only_parts_mended", "read_only_words_mended", "read_only_bytes_mended"})
    for (const Kind kind : {Kind::by_index, Kind::drawn, Kind::backwards}) {
      CAPTURE(name);
      const TestRun run = run_one(name, {}, {kind, 7});
      CHECK(run.findings() == "");
      CHECK(run.why() == "");
    }
}

TEST_CASE("a pointer that is said to be the only one is none where another leads there") {
  for (const bool in_place : {true, false}) {
    TestRun run("races.ptx");
    const auto out = run.buffer("out", std::vector<int>(1024));
    const auto other = run.buffer("other", std::vector<int>(1024));
    // The one after the other, that is right.
    run.launch("restricted", {8}, {128}, 0, out, in_place ? out : other);
    run.launch("restricted", {8}, {128}, 0, other, out).run();
    CHECK(run.found(FindingKind::stale_load) == in_place);
    CHECK(run.seen.findings.size() == (in_place ? 1 : 0));
  }
}

TEST_CASE("a verdict does not depend on the number of cores") {
  for (const auto& names :
       {std::span<const char* const>(kRacing), std::span<const char* const>(kSilent)}) {
    for (const std::string name : names) {
      CAPTURE(name);
      const device::Order order{Kind::drawn, 3};
      const std::string one = all_of(run_one(name, {1}, order));
      for (const unsigned cores : {2u, 7u, 16u}) {
        const bool equal = one == all_of(run_one(name, {cores}, order));
        CHECK_MESSAGE(equal, cores);
      }
    }
  }
}

TEST_CASE("which block goes beyond the budget does not depend on the number of cores") {
  TestRun run = run_one("sum_mended", {1}, {Kind::drawn, 3});
  run.job.instruction_budget = run.seen.launches.at(0).instructions / 2;
  run.run({1});
  REQUIRE(run.found(FindingKind::budget));
  const std::string one = all_of(run);
  for (const unsigned cores : {2u, 7u, 16u}) {
    run.run({cores});
    CHECK(all_of(run) == one);
  }
}

TEST_CASE("a race between blocks names both lines, threads and blocks, and what would order them") {
  const TestRun run = run_one("sum_buggy");
  REQUIRE(run.seen.findings.size() == 1);
  const device::Finding& finding = run.seen.findings[0];
  CHECK(device::spelled(finding.message) ==
        "meets(reads(element_of(out, 0, 0)), wrote(thread_of_block((0,0,0), (0,0,0))), "
        "no_order_turns())");
  CHECK(finding.line == 7);
  CHECK(finding.other_line == 7);
  CHECK(finding.block == device::Dim3{1, 0, 0});
  CHECK(finding.thread == device::Dim3{0, 0, 0});
  CHECK(finding.count == 14);
}

TEST_CASE("of a store that comes too early it is said that the reader has to fence") {
  const TestRun run = run_one("in_place_buggy");
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "meets(writes(element_of(out, 2, 8)), did_read(thread_of_block((0,0,0), (1,0,0))), "
        "no_order_fence_of_reader())");
}

TEST_CASE("launches of a stream are ordered") {
  TestRun run("races.ptx");
  const auto out = run.buffer("out", std::vector<int>(4096));
  const auto in = run.buffer("in", std::vector<int>(4096, 1));
  for (int i = 0; i < 3; ++i) run.launch("sum_buggy", {1}, {128}, 0, out, in);
  run.launch("sum_mended", {8}, {128}, 0, out, in).run();
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0)[0] == 11);
}

TEST_CASE("one value stored by several threads is a note, in shared memory and in global memory") {
  for (const std::string name : {"one_value", "one_value_in_shared"}) {
    CAPTURE(name);
    const TestRun run = run_one(name);
    REQUIRE(run.seen.findings.size() == 1);
    CHECK(run.seen.findings[0].kind == FindingKind::same_value);
    CHECK(device::is_note(run.seen.findings[0].kind));
  }
}

TEST_CASE("lanes may look at a volatile flag and raise it, but not hand on what they read there") {
  constexpr const char* kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry look(.param .u64 flag) {
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
  ld.volatile.global.u32 %r1, [%rd1];
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u32 %r2, 1;
  st.volatile.global.u32 [%rd1], %r2;
DONE:
  ret;
}
.visible .entry hand_on(.param .u64 word) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [word];
  ld.volatile.global.u32 %r1, [%rd1];
  add.u32 %r2, %r1, 1;
  st.volatile.global.u32 [%rd1], %r2;
  ret;
}
)";
  for (const bool looks : {true, false}) {
    TestRun run(kPtx);
    const auto word = run.buffer("word", std::vector<int>(1));
    run.launch(looks ? "look" : "hand_on", {1}, {32}, 0, word).run();
    CAPTURE(run.why());
    CHECK(run.found(FindingKind::race) == !looks);
  }
}

TEST_CASE(
    "volatile stores to one word hand nothing on, and a volatile load of another thread's does") {
  constexpr const char* kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry store(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  .shared .align 4 .b32 word;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  st.volatile.shared.u32 [word], %r1;
  st.volatile.global.u32 [%rd1], %r1;
  add.u32 %r2, %r1, 7;
  st.volatile.shared.u32 [word], %r2;
  st.volatile.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry beside_plain(.param .u64 out) {
  .reg .b32 %r<3>;
  .shared .align 4 .b32 word;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [word], %r1;
  add.u32 %r2, %r1, 7;
  st.volatile.shared.u32 [word], %r2;
  ret;
}
.visible .entry load(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b32 word;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.volatile.shared.u32 [word], %r1;
  ld.volatile.shared.u32 %r2, [word];
  st.global.u32 [%rd3], %r2;
  ret;
}
)";
  for (const std::string kernel : {"store", "beside_plain", "load"}) {
    TestRun run(kPtx);
    const auto out = run.buffer("out", std::vector<int>(64));
    run.launch(kernel, {1}, {64}, 0, out).run();
    CAPTURE(kernel);
    CAPTURE(run.why());
    CHECK(run.found(FindingKind::race) == (kernel != "store"));
  }
}

TEST_CASE("shared memory that a thread reads before it writes it itself is uninitialised") {
  const TestRun own = run_one("own_word_unwritten");
  REQUIRE(own.found(FindingKind::uninitialised));
  CHECK(own.seen.findings[0].count == 8 * 128);
  CHECK(run_one("first_thread_unwritten").found(FindingKind::uninitialised));
}

TEST_CASE("without checks nobody looks for races in global memory") {
  CHECK(run_one("sum_buggy", {0, false}).findings() == "");
}

TEST_CASE("a block that is wrong again and again is ended, and says in what") {
  // The second warp reads, over and over, what the first has written.
  const auto text = [](const std::string& between) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry again(.param .u32 times)\n{\n"
           ".reg .pred %p<3>; .reg .b32 %r<4>; .shared .align 4 .b32 s;\n"
           "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra MEET;\n"
           "st.shared.u32 [s], 7;\nMEET:\n" +
           between +
           "\n@!%p0 ret; ld.param.u32 %r1, [times];\n"
           "AGAIN: ld.shared.u32 %r2, [s]; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0;\n"
           "@%p1 bra AGAIN;\nret;\n}\n";
  };
  constexpr std::uint32_t kOften = 1'200'000;
  TestRun run(text(""));
  run.job.instruction_budget = 10 * kOften;
  run.launch("again", {2}, {64}, 0, kOften).run();
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.status == device::Observation::Status::failed);
  CHECK(run.seen.findings[0].kind == device::FindingKind::race);
  CHECK(run.seen.findings[0].fatal);
  CHECK(run.seen.findings[0].count == kMostErrors);
  CHECK(device::spelled(run.seen.findings[0].message).starts_with("enough_of_it(meets(reads("));
  CHECK(run.seen.launches[0].instructions < 5 * kMostErrors);

  // A program's own is not: nothing about how it goes on is changed by it.
  TestRun own(text(""));
  own.job.instruction_budget = 10 * kOften;
  own.launch("again", {2}, {64}, 0, kOften).run({.lenient = true});
  CHECK(own.seen.status == device::Observation::Status::completed);
  REQUIRE(own.seen.findings.size() == 1);
  CHECK_FALSE(own.seen.findings[0].fatal);
  CHECK(own.seen.findings[0].count > 2 * kMostErrors);

  TestRun fewer(text(""));
  fewer.launch("again", {2}, {64}, 0, 1000u).run();
  CHECK(fewer.seen.status == device::Observation::Status::completed);
  CHECK(fewer.findings().starts_with("race"));

  TestRun mended(text("bar.sync 0;"));
  mended.job.instruction_budget = 10 * kOften;
  mended.launch("again", {2}, {64}, 0, kOften).run();
  CHECK(mended.why() == "");
  CHECK_FALSE(mended.found(FindingKind::race));
}

} // namespace course::emulator
