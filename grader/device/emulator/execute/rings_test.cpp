// Warp specialisation, rings that a cluster shares, flags in another block's memory: right, and
// silent; and found with one mistake. Kernels of data/rings.cu.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;
using Kind = device::Order::Kind;

TestRun run_of(const std::string& kernel, std::uint32_t blocks, Kind order) {
  TestRun run("rings.ptx");
  std::vector<int> in(4096);
  std::iota(in.begin(), in.end(), 1);
  const auto out = run.buffer("out", std::vector<int>(512, -1));
  const auto from = run.buffer("in", in);
  run.job.order.kind = order;
  run.job.instruction_budget = 2'000'000;
  run.launch(kernel, {blocks}, {128}, 0, out, from).run();
  return run;
}

} // namespace

TEST_CASE("what is written for Hopper is right and silent, whatever runs first") {
  for (const auto order : {Kind::by_index, Kind::backwards}) {
    const auto specialised = run_of("specialised_mended", 1, order);
    CHECK(specialised.why() == "");
    CHECK(specialised.findings() == "");
    CHECK(specialised.result<int>(0)[0] == 64640);
    const auto ring = run_of("shared_ring_mended", 4, order);
    CHECK(ring.why() == "");
    CHECK(ring.findings() == "");
    CHECK(ring.result<int>(0)[0] == 7944);
    CHECK(ring.result<int>(0)[3 * 96 + 95] == 7944);
    const auto flag = run_of("flag_mended", 2, order);
    CHECK(flag.findings() == "");
    CHECK(flag.result<int>(0)[0] == 6);
    const auto all = run_of("all_to_all", 4, order);
    CHECK(all.findings() == "");
    CHECK(all.result<int>(0)[0] == 5400);
  }
}

TEST_CASE("a stage that not all of its users have to release is found") {
  for (const auto order : {Kind::by_index, Kind::backwards}) {
    const auto few = run_of("specialised_too_few", 1, order);
    CHECK_MESSAGE((few.found(FindingKind::race) || few.found(FindingKind::phase)), few.findings());
    const auto one = run_of("shared_ring_of_one", 2, order);
    CHECK_MESSAGE((one.found(FindingKind::race) || one.found(FindingKind::phase)), one.findings());
  }
}

TEST_CASE("a flag in another block's memory that releases nothing hands nothing over") {
  const auto relaxed = run_of("flag_relaxed", 2, Kind::by_index);
  CHECK(relaxed.found(FindingKind::race));
  CHECK(relaxed.findings().find("value") != std::string::npos);
}

} // namespace course::emulator
