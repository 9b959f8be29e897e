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

namespace {

// A warp whose lanes 0 to 15 do `inside` at a branch, and all store a number behind it.
std::string half_a_warp(const std::string& inside, const std::string& behind = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry half(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred "
         "%p<2>;\n"
         "mov.u32 %r0, %tid.x; mov.u32 %r1, 7; setp.ge.u32 %p0, %r0, 16;\n@%p0 bra MEET;\n" +
         inside + "\nMEET:\n" + behind +
         "\nld.param.u64 %rd0, [out]; mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1;\n"
         "st.global.u32 [%rd2], %r1;\nret;\n}\n";
}
constexpr const char* kShuffle = "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;";
const Options kLenient{.lenient = true};

struct HalfAWarp : TestRun {
  explicit HalfAWarp(const std::string& inside, const std::string& behind = "")
      : TestRun(half_a_warp(inside, behind)) {
    const auto out = buffer("out", std::vector<int>(32), false);
    launch("half", {1}, {32}, 0, out);
  }
  using Status = device::Observation::Status;
};

} // namespace

TEST_CASE("a program's own goes on where lanes wait for others that wait for them, as on a GPU") {
  HalfAWarp strict(kShuffle);
  strict.run();
  CHECK(strict.seen.status == HalfAWarp::Status::failed);

  HalfAWarp run(kShuffle);
  run.run(kLenient);
  CHECK(run.seen.status == HalfAWarp::Status::completed);
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].kind == device::FindingKind::shuffle);
  CHECK(device::spelled(run.seen.findings[0].message) ==
        "lanes_go_past(lanes 0xffff, 0, lanes 0xffff0000)");
  for (int lane = 0; lane < 32; ++lane)
    CHECK(run.result<int>(0)[lane] == (lane < 16 ? lane ^ 1 : 7));

  HalfAWarp sync("bar.warp.sync -1;");
  sync.run(kLenient);
  CHECK(sync.seen.status == HalfAWarp::Status::completed);
  CHECK(sync.found(device::FindingKind::warp_barrier));
  // Two exchanges on both sides of a branch were in order before, and are.
  HalfAWarp right("shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffff;", "bar.warp.sync -1;");
  right.run(kLenient);
  CHECK(right.findings() == "");
}

TEST_CASE("lanes that have been let past and then wait for those left behind wait for ever") {
  for (const char* behind : {"shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", "bar.warp.sync -1;",
                             "bar.sync 0;"}) { // as an H100 does
    CAPTURE(behind);
    HalfAWarp run(kShuffle, behind);
    run.run(kLenient);
    CHECK(run.seen.status == HalfAWarp::Status::failed);
    if (run.why().find("lanes_never_come") != std::string::npos) // and for whom
      CHECK(run.why().find("lanes 0xffff0000") != std::string::npos);
  }
}

TEST_CASE("a lane that is not in its own mask ends a program's own, as on a GPU") {
  const char* inside = "bar.warp.sync 0xfffe;";
  HalfAWarp graded(inside);
  graded.run();
  CHECK(graded.found(device::FindingKind::warp_barrier));
  HalfAWarp run(inside);
  run.run(kLenient);
  CHECK(run.seen.status == HalfAWarp::Status::failed);
  CHECK(run.why().find("not_in_own_mask(0, lanes 0xfffe)") != std::string::npos);
}

TEST_CASE("what nobody may need of an idle lane is a note for a program's own") {
  TestRun run("warp.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto from = run.buffer("in", values(4, 9));
  run.launch("reads_idle_lane", {1}, {32}, 0, out, from).run(kLenient);
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(run.seen.findings[0].kind == device::FindingKind::idle_lane);
  CHECK(device::is_note(run.seen.findings[0].kind));
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
