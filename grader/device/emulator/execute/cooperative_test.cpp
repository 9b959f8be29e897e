// Cooperative launches: this_grid().sync() holds, orders what is before it and behind it, and
// says so when blocks never come. data/grid.cu has the kernels.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;
using Status = device::Observation::Status;

constexpr device::Order kOrders[] = {{device::Order::Kind::by_index, 0},
                                     {device::Order::Kind::drawn, 7},
                                     {device::Order::Kind::backwards, 0}};

struct Grid {
  std::uint32_t blocks = 5, threads = 64;
  bool cooperative = true;
};

template <typename... More>
TestRun run(const std::string& kernel, const Grid& grid, const device::Order& order = {},
            More... more) {
  TestRun made("grid.ptx");
  const auto out = made.buffer("out", std::vector<int>(4096));
  std::vector<int> numbers(4096);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto other = made.buffer("other", numbers);
  made.launch(kernel, {grid.blocks}, {grid.threads}, 0, out, other, more...);
  std::get<device::Launch>(made.job.plan.steps.back()).cooperative = grid.cooperative;
  made.job.order = order;
  made.job.instruction_budget = 50'000'000;
  made.run({2});
  return made;
}

std::vector<int> of_the_blocks_behind(std::uint32_t blocks) {
  std::vector<int> values(blocks);
  for (std::uint32_t b = 0; b < blocks; ++b) values[b] = static_cast<int>(10 + (b + 1) % blocks);
  return values;
}

} // namespace

TEST_CASE("what a block wrote before the barrier of the grid, another reads behind it") {
  for (const auto& order : kOrders) {
    for (const std::string kernel : {"handed_on", "handed_on_by_halves"}) {
      CAPTURE(kernel);
      for (const std::uint32_t blocks : {1u, 5u, 300u}) {
        const TestRun made = run(kernel, {blocks}, order);
        CHECK(made.seen.status == Status::completed);
        CHECK(made.findings() == "");
        auto out = made.result<int>(0);
        out.resize(blocks);
        CHECK(out == of_the_blocks_behind(blocks));
      }
    }
  }
}

TEST_CASE("looking whether the other blocks have come counts as no request") {
  for (const std::uint32_t blocks : {1u, 5u, 300u}) {
    const TestRun made = run("handed_on", {blocks});
    CHECK(made.counts("global_load_4").requests == blocks); // the one behind the barrier
    CHECK(made.counts("global_store_4").requests == 2 * blocks);
    CHECK(made.counts("global_atomic").requests == 0);
  }
}

TEST_CASE("without it, or in front of its second half, that is a race between blocks") {
  for (const auto& order : kOrders) {
    for (const std::string kernel : {"barrier_of_the_block", "not_waited_for"}) {
      CAPTURE(kernel);
      const TestRun made = run(kernel, {}, order);
      CHECK(made.seen.status == Status::completed);
      REQUIRE(made.found(FindingKind::race));
      for (const device::Finding& finding : made.seen.findings)
        CHECK(finding.meeting == device::Meeting::between_blocks);
    }
  }
}

TEST_CASE("a sum in two phases needs one launch") {
  const TestRun made = run("one_sum", {132, 64}, {}, 100'000);
  CHECK(made.findings() == "");
  CHECK(made.result<int>(0)[0] == static_cast<int>(100'000ll * 100'001 / 2 % (1ll << 32)));
}

TEST_CASE("a grid meets as often as it likes, and waiting costs next to nothing") {
  const TestRun made = run("rounds", {32, 64}, {}, 20);
  CHECK(made.why() == "");
  CHECK(made.findings() == "");
  // 64 warps, 20 rounds of some 60 instructions, and their looks at the barrier.
  CHECK(made.seen.launches.at(0).instructions < 64 * 20 * 100);
  const TestRun in_place = run("one_barrier_a_round", {32, 64}, {}, 2);
  CHECK(in_place.found(FindingKind::race));
}

TEST_CASE("a barrier of the grid that not all blocks come to is named, and does not hang") {
  for (const auto& order : kOrders) {
    const TestRun made = run("one_block_stays_away", {}, order);
    CHECK(made.seen.status == Status::failed);
    REQUIRE(made.found(FindingKind::barrier));
    const device::Finding& finding = made.seen.findings.back();
    CHECK(finding.fatal);
    CHECK(finding.line == 77);
    CHECK(device::spelled(finding.message).find("grid_waits_for_ended(4, 5, one())") == 0);
  }
  const TestRun left = run("first_threads_leave", {});
  REQUIRE(left.found(FindingKind::barrier));
  CHECK(device::spelled(left.seen.findings.back().message).find("grid_waits_for_ended(") !=
        std::string::npos);
}

TEST_CASE("a launch that is not cooperative has no barrier of the grid") {
  const TestRun made = run("handed_on", {5, 64, false});
  CHECK(made.seen.status == Status::failed);
  REQUIRE(made.found(FindingKind::trap));
  CHECK(made.seen.findings.back().line == 13);
  CHECK(device::spelled(made.seen.findings.back().message).find("needs_cooperative_launch()") !=
        std::string::npos);
  TestRun plain("grid.ptx"); // without line numbers, the same
  auto& ptx = plain.job.modules[0].ptx;
  for (std::size_t at; (at = ptx.find("\t.loc")) != std::string::npos;)
    ptx.erase(at, ptx.find('\n', at) - at);
  const auto out = plain.buffer("out", std::vector<int>(64));
  plain.launch("handed_on", {5}, {64}, 0, out, out).run();
  CHECK(plain.why().find("needs_cooperative_launch()") != std::string::npos);
}

TEST_CASE("a cooperative grid that no device has room for is not launched") {
  const TestRun made = run("handed_on", {132 * 32 + 1});
  CHECK(made.seen.status == Status::failed);
  CHECK(made.why().find("beyond_cooperative(handed_on, 4225, 4224)") != std::string::npos);
  const TestRun fits = run("handed_on", {132 * 16, 32});
  CHECK(fits.why() == "");
  CHECK(fits.findings() == "");
}

TEST_CASE("the grid's barrier holds without checks, and counts the same on any number of cores") {
  TestRun one = run("handed_on", {40});
  const auto before = one.seen.launches.at(0).instructions;
  one.run({7});
  CHECK(one.seen.launches.at(0).instructions == before);
  one.run({1, false});
  CHECK(one.seen.launches.at(0).instructions == before);
  auto out = one.result<int>(0);
  out.resize(40);
  CHECK(out == of_the_blocks_behind(40));
}

} // namespace course::emulator
