// Exchanges between lanes, against what PTX says of them.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace course::emulator {
namespace {

std::vector<int> values(unsigned seed, int high) {
  std::mt19937 random(seed);
  std::vector<int> made(32);
  for (int& value : made) value = static_cast<int>(random() % static_cast<unsigned>(high));
  return made;
}

} // namespace

TEST_CASE("shuffles of all four kinds, distances and widths") {
  const std::vector<int> in = values(1, 1000);
  for (int width = 1; width <= 32; width *= 2) {
    for (int by = 0; by < 32; ++by) {
      CAPTURE(width);
      CAPTURE(by);
      TestRun run("warp.ptx");
      const auto out = run.buffer("out", std::vector<int>(128), false);
      const auto from = run.buffer("in", in);
      run.launch("shuffles", {1}, {32}, 0, out, from, by, width).run();
      REQUIRE(run.findings() == "");
      const auto got = run.result<int>(0);
      for (int lane = 0; lane < 32; ++lane) {
        const int first = lane / width * width;
        const int index = first + by % width;
        const int up = lane - by < first ? lane : lane - by;
        const int down = lane + by >= first + width ? lane : lane + by;
        // xor may leave a segment downwards, not upwards.
        const int across = (lane ^ by) >= first + width ? lane : lane ^ by;
        CHECK(got[lane] == in[index]);
        CHECK(got[32 + lane] == in[up]);
        CHECK(got[64 + lane] == in[down]);
        CHECK(got[96 + lane] == in[across]);
      }
    }
  }
}

TEST_CASE("votes, matches and reductions see all lanes of the mask") {
  const std::vector<int> in = values(2, 4);
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<unsigned>(224), false);
  const auto from = run.buffer("in", in);
  run.launch("votes", {1}, {32}, 0, out, from).run();
  CHECK(run.findings() == "");
  const auto got = run.result<unsigned>(0);
  unsigned positive = 0, sum = 0;
  for (int lane = 0; lane < 32; ++lane) {
    positive |= in[lane] > 0 ? 1u << lane : 0;
    sum += static_cast<unsigned>(in[lane]);
  }
  for (int lane = 0; lane < 32; ++lane) {
    unsigned same = 0;
    for (int other = 0; other < 32; ++other) same |= in[other] == in[lane] ? 1u << other : 0;
    CHECK(got[lane] == positive);
    CHECK(got[32 + lane] == 0);
    CHECK(got[64 + lane] == (positive == 0xffffffff ? 1 : 0));
    CHECK(got[96 + lane] == same);
    CHECK(got[128 + lane] == sum);
    CHECK(got[160 + lane] == static_cast<unsigned>(*std::max_element(in.begin(), in.end())));
    CHECK(got[192 + lane] == 0xffffffff);
  }
}

TEST_CASE("the halves of a warp may name masks of their own") {
  const std::vector<int> in = values(3, 1000);
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto from = run.buffer("in", in);
  run.launch("half_masks", {1}, {32}, 0, out, from).run();
  CHECK(run.findings() == "");
  for (int lane = 0; lane < 32; ++lane) {
    int sum = 0;
    for (int other = lane / 16 * 16; other < lane / 16 * 16 + 16; ++other) sum += in[other];
    CHECK(run.result<int>(0)[lane] == sum);
  }
}

TEST_CASE("a shuffle that reads a lane outside of it is found") {
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const std::vector<int> in = values(4, 9);
  const auto from = run.buffer("in", in);
  run.launch("reads_idle_lane", {1}, {32}, 0, out, from).run();
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].kind == device::FindingKind::shuffle);
  CHECK(run.seen.findings[0].line == 32);
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "reads_from_idle_lane(8, 16, lanes 0xffff)");
  // Undefined, but the same every time: not what another block left in that lane's register.
  for (int lane = 8; lane < 16; ++lane) CHECK(run.result<int>(0)[lane] == in[lane]);
}

TEST_CASE("a shuffle whose lanes never all come is found, with the lanes that are missing") {
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto from = run.buffer("in", values(5, 9));
  run.launch("shuffle_without_others", {1}, {32}, 0, out, from).run();
  CHECK(run.seen.status == device::Observation::Status::failed);
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].kind == device::FindingKind::shuffle);
  CHECK(run.seen.findings[0].line == 39);
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "lanes_never_come(lanes 0xffff, 0, lanes 0xffff0000)");
}

TEST_CASE("a __syncwarp on each path of a branch orders the lanes of both") {
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const std::vector<int> in = values(6, 1000);
  const auto from = run.buffer("in", in);
  run.launch("syncs_on_both_paths", {1}, {32}, 0, out, from).run();
  CHECK(run.findings() == "");
  for (int lane = 0; lane < 32; ++lane) CHECK(run.result<int>(0)[lane] == in[lane ^ 16]);
}

} // namespace course::emulator
