// Barriers in memory: what they order, and each way to use one wrongly; kernels of data/phases.cu.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

constexpr std::size_t kThreads = 128;

struct PhaseRun : TestRun {
  explicit PhaseRun(const std::string& kernel, device::Order::Kind order = {})
      : TestRun("phases.ptx"), in(1024) {
    std::iota(in.begin(), in.end(), 1);
    const auto out = buffer("out", std::vector<int>(1024, -1));
    const auto from = buffer("in", in);
    job.order.kind = order;
    job.instruction_budget = 2'000'000;
    launch(kernel, {1}, {kThreads}, 0, out, from).run();
  }
  bool ended() const { return seen.status == device::Observation::Status::completed; }
  const device::Finding& first() const {
    REQUIRE(!seen.findings.empty());
    return seen.findings[0];
  }
  bool says(const std::string& part) const { return findings().find(part) != std::string::npos; }
  std::vector<int> in;
};

// The line of data/phases.cu, inside of the kernel, that has this text for the n-th time.
std::uint32_t line_of(const std::string& kernel, const std::string& text, int n = 1) {
  std::istringstream source(read_file(COURSE_SOURCE_DIR "/grader/device/emulator/data/phases.cu"));
  std::string line;
  bool inside = false;
  for (std::uint32_t number = 1; std::getline(source, line); ++number) {
    inside = inside || line.find(" " + kernel + "(") != std::string::npos;
    if (inside && line.find(text) != std::string::npos && --n == 0) return number;
  }
  return 0;
}

} // namespace

TEST_CASE("values cross warps by the arrivals and waits of a barrier in memory") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    PhaseRun run("exchange_by_token", order);
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    const auto out = run.result<int>(0);
    for (std::size_t round = 0; round < 4; ++round)
      for (std::size_t t = 0; t < kThreads; ++t)
        REQUIRE(out[round * kThreads + t] == run.in[kThreads - 1 - t] + static_cast<int>(round));
    // A wait is one instruction, however long it lasts: nothing depends on who comes first.
    CHECK(run.seen.launches[0].instructions ==
          PhaseRun("exchange_by_token").seen.launches[0].instructions);
  }
}

TEST_CASE("without the second half of the round the next one overwrites what is read") {
  PhaseRun run("exchange_without_second");
  CHECK(run.found(FindingKind::race));
  CHECK(run.ended());
  CHECK(run.says("phase_tells_nothing(phase("));
}

TEST_CASE("an arrival that nobody waits for, or that is relaxed, orders nothing") {
  PhaseRun alone("arrives_without_wait"), relaxed("relaxed_arrival");
  CHECK(alone.found(FindingKind::race));
  CHECK(alone.says("no_barrier_nor_phase("));
  CHECK(relaxed.found(FindingKind::race));
  CHECK(relaxed.says("no_barrier_nor_phase(phase_tells_nothing(phase(0, barrier)))"));
}

TEST_CASE("a race names the phase that was not waited for, or told nothing") {
  const auto ring = [](const char* kernel, const char* says) {
    const PhaseRun run(kernel), back(kernel, device::Order::Kind::backwards);
    CHECK_MESSAGE((run.says(says) || back.says(says)),
                  (kernel + (": " + run.findings() + back.findings())));
  };
  ring("ring_does_not_wait", "phase_not_waited_for(phase(0, ");
  ring("ring_refills_too_early", "phase_not_waited_for(phase(3, ");
  ring("ring_releases_too_early", "phase_tells_nothing(phase(0, ");
}

TEST_CASE("a barrier is used after it is initialised, and in an order") {
  PhaseRun run("init_without_barrier");
  CHECK(run.ended());
  CHECK(run.first().kind == FindingKind::race);
  CHECK(run.says("meets(arrives_at(barrier), initialised(thread((0,0,0))), no_"));
  PhaseRun never("never_initialised");
  CHECK(never.ended());
  CHECK(never.first().kind == FindingKind::phase);
  CHECK(never.says("is_no_barrier(arrives_at(element(barriers[1], 8)))"));
  CHECK(never.says("is_no_barrier(waits_for(element(barriers[1], 8)))"));
}

TEST_CASE("every form of arrival counts as it says") {
  PhaseRun run("forms_of_arrival");
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  CHECK(run.ended());
  const auto out = run.result<int>(0);
  // Pending before the arrivals of the first 32 lanes, in their order.
  for (int t = 0; t < 32; ++t) CHECK(out[static_cast<std::size_t>(t)] == 288 - t);
  CHECK(out[64 + 32] == 7);
}

TEST_CASE("more arrivals than a phase has left are named") {
  PhaseRun run("arrives_beyond");
  CHECK(run.first().kind == FindingKind::phase);
  CHECK(device::spelled(run.first().message) ==
        "arrives_too_often(128, phase(0, barrier), 100, 100)");
}

TEST_CASE("a phase that never ends is named, with what is missing and who waits") {
  PhaseRun run("one_arrival_short");
  CHECK(!run.ended());
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.first().kind == FindingKind::phase);
  CHECK(run.first().fatal);
  CHECK(device::spelled(run.first().message) ==
        "never_ends(32, phase(0, element(filled[2], 16)), arrivals_missing(1, 128))");
  CHECK(run.first().line == line_of("wait", "while (!ptx"));
}

TEST_CASE("phases that nothing keeps apart are found, whoever runs first") {
  // Who waits first sees each phase here, and might not on a GPU.
  PhaseRun late("phases_alias", device::Order::Kind::backwards);
  CHECK(late.found(FindingKind::phase));
  CHECK(late.says("wait_not_seen(0, barrier, 1)"));
  // Who comes last has missed it.
  PhaseRun missed("phases_alias");
  CHECK(!missed.ended());
  CHECK(missed.says("came_too_late(never_ends(32, phase(4, barrier), arrival_missing(1, 1)), 2)"));
}

TEST_CASE("a copy's arrival comes behind what was waited for before the barrier was told of it") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    PhaseRun mended("ring_of_copies_mended", order);
    CHECK(mended.findings() == "");
    CHECK(mended.ended());
    PhaseRun early("ring_of_copies_too_early", order);
    CHECK((early.found(FindingKind::phase) || early.found(FindingKind::race)));
  }
}

TEST_CASE("a ring is silent, and each of its mistakes is found") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    PhaseRun mended("ring_mended", order);
    CHECK(mended.findings() == "");
    CHECK(mended.ended());
    int sum = 0;
    for (std::size_t round = 0; round < 10; ++round) sum += mended.in[round * 32 + 1];
    CHECK(mended.result<int>(0)[32] == sum);
    for (const char* kernel :
         {"ring_does_not_wait", "ring_refills_too_early", "ring_releases_too_early"}) {
      CAPTURE(kernel);
      PhaseRun run(kernel, order);
      // Who runs far ahead of the others loses them before the two meet at a stage.
      const bool found = run.found(FindingKind::race) || run.found(FindingKind::phase);
      CHECK_MESSAGE(found, run.findings());
    }
  }
}

TEST_CASE("nobody ends a barrier, or begins it anew, while others may still look at it") {
  for (const auto order : {device::Order::Kind::by_index, device::Order::Kind::backwards}) {
    for (const char* kernel :
         {"ends_behind_all", "begins_again_behind_all", "ends_behind_arrivals"}) {
      CAPTURE(kernel);
      PhaseRun run(kernel, order);
      CHECK(run.why() == "");
      CHECK(run.findings() == "");
    }
    const auto is = [&](const char* kernel, std::uint32_t end, const std::string& does) {
      CAPTURE(kernel);
      PhaseRun run(kernel, order);
      CHECK(run.ended());
      REQUIRE(run.found(FindingKind::race));
      const bool forwards = order == device::Order::Kind::by_index;
      CHECK(run.says("meets(" + does + "(barrier), used(thread((" + (forwards ? "32" : "96")));
      CHECK(run.first().line == end);
      CHECK(run.first().other_line == line_of("ends", "out[threadIdx.x] = "));
    };
    is("ends_too_early", line_of("end", "mbarrier.inval"), "invalidates");
    is("begins_again_too_early", line_of("ends", "mbarrier_init"), "initialises");
    PhaseRun late("looks_too_late", order);
    CHECK(late.says("is_ended(waits_for(barrier), thread((0,0,0)))"));
  }
}

TEST_CASE("a barrier is told of cp.async, counted beforehand or not") {
  for (const char* kernel : {"copies_increase", "copies_count"}) {
    CAPTURE(kernel);
    PhaseRun run(kernel);
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    CHECK(run.result<int>(0)[0] == 128);
  }
  PhaseRun early("copies_not_waited");
  CHECK(early.found(FindingKind::race));
  CHECK(early.says("copy_still_"));
}

TEST_CASE("whatever writes over a barrier in memory that is in use is found") {
  for (const std::string over :
       {"@!%p1 st.shared.u32 [%r1], 0;", "@!%p1 red.shared.add.u32 [%r1], 1;",
        "@!%p1 cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.wait_all;",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r2};", "bar.sync 0;"}) {
    CAPTURE(over);
    TestRun run(R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<2>; .shared .align 16 .b8 full[512];
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, full;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r2, 16, %r1;
  setp.ne.s32 %p1, %r2, 0;
  @!%p1 mbarrier.init.shared.b64 [%r1], 1;
  bar.sync 0;
)" + over + "\n  ret;\n}");
    run.launch("k", {1}, {32}, 0, run.buffer("in", std::vector<int>(4))).run();
    CHECK(run.why() == "");
    const bool found = run.findings().find("writes_over_barrier(") != std::string::npos;
    CHECK(found == (over != "bar.sync 0;"));
  }
}

} // namespace course::emulator
