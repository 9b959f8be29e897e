// Which requests are counted, and how far the counts are certain.
#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/emulator/test_run.hpp"
#include "device/model/shared.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

namespace course::emulator {
namespace {

const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

// All threads add to one word.
const std::string kAdds = kHead + R"(
.visible .entry adds() {
  .reg .f32 %f<3>; .reg .b32 %r<3>; .reg .pred %p<2>; .shared .align 4 .f32 sum[1];
  mov.u32 %r1, %tid.x;
  setp.ne.s32 %p1, %r1, 0;
  mov.f32 %f1, 0f00000000;
  mov.f32 %f2, 0f3F800000;
  @!%p1 st.shared.f32 [sum], %f1;
  bar.sync 0;
  red.shared.add.f32 [sum], %f2;
  ret;
})";

// The lanes whose index has none of the bits `lanes` take the larger of a 64-bit word and theirs.
std::string larger(const std::string& name, const std::string& lanes) {
  return R"(
.visible .entry )" +
         name + R"(() {
  .reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .pred %p<3>; .shared .align 8 .b64 most[1];
  mov.u32 %r1, %tid.x;
  setp.ne.s32 %p1, %r1, 0;
  mov.b64 %rd1, 0;
  @!%p1 st.shared.b64 [most], %rd1;
  bar.sync 0;
  cvt.u64.u32 %rd2, %r1;
  and.b32 %r2, %r1, )" +
         lanes + R"(;
  setp.eq.s32 %p2, %r2, 0;
  @%p2 red.shared.max.u64 [most], %rd2;
  ret;
})";
}
const std::string kLarger = kHead + larger("one", "31") + larger("pairs", "15");

// Each thread reads the word of the parameter that its index says.
const std::string kLookUp = kHead + R"(
.visible .entry look_up(.param .align 4 .b8 table[128], .param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.b64 %rd2, table;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.param.u32 %r2, [%rd4];
  add.s64 %rd5, %rd1, %rd3;
  st.global.u32 [%rd5], %r2;
  ret;
})";

device::LineCounts of_atomic(const std::string& ptx, const char* kernel, std::uint32_t threads,
                             const std::string& access) {
  TestRun run(ptx);
  run.launch(kernel, {1}, {threads}, 0).run();
  for (const device::LineCounts& line : run.seen.lines)
    if (name_of(line.kind) == access) return line;
  FAIL("no atomic was counted");
  return {};
}
device::LineCounts larger(const char* kernel, std::uint32_t threads) {
  return of_atomic(kLarger, kernel, threads, "red_shared_max_u64");
}
device::LineCounts adds(std::uint32_t threads) {
  return of_atomic(kAdds, "adds", threads, "red_shared_add_f32");
}

} // namespace

TEST_CASE("a loop of attempts has a certain count in one warp, and at least it between warps") {
  CHECK_FALSE(adds(32).at_least);
  CHECK(adds(64).at_least);
  CHECK(adds(64).wavefronts == 2 * adds(32).wavefronts);
}

TEST_CASE(
    "attempts of one lane a warp are made again without conflicts, those of two halves with") {
  const auto one = larger("one", 128), pairs = larger("pairs", 128);
  CHECK(one.at_least);
  CHECK(one.conflicts() == 0);
  CHECK_FALSE(one.conflicts_at_least);
  CHECK(pairs.at_least);
  CHECK(pairs.conflicts_at_least);
  CHECK_FALSE(larger("pairs", 32).conflicts_at_least);
  CHECK_FALSE(adds(64).conflicts_at_least); // to one word, lane after lane
}

TEST_CASE("a request costs what it costs, whichever came before it") {
  constexpr std::uint32_t kBytes = 8192;
  Layout layout;
  layout.add("array", kBytes, 16);
  Launch launch;
  launch.banks = &model::default_gpu().architecture;
  Block block;
  block.launch = &launch;
  block.shared.prepare(layout);
  Warp warp;
  warp.block = &block;
  std::mt19937 random(3);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (const model::RequestKind kind :
       {model::RequestKind::shared_load, model::RequestKind::shared_store,
        model::RequestKind::shared_atomic_increment}) {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
      if (kind == model::RequestKind::shared_atomic_increment && width != 4) continue;
      CAPTURE(width);
      MemoryOperand access;
      access.space = ptx::Space::shared;
      access.kind = kind;
      access.element = access.counted_width = static_cast<std::uint8_t>(width);
      access.proof = Proof::exact;
      AccessCounter counter;
      std::uint64_t wavefronts = 0, ideal = 0, in_one = 0;
      for (int i = 0; i < 2000; ++i) {
        const std::uint32_t stride = below(3) ? width : width * below(40);
        const std::uint32_t first = below(64) * width;
        const std::uint32_t mask = below(2) ? kAllLanes : static_cast<std::uint32_t>(random() | 4);
        LaneOffsets at;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
          at.of[lane] = (first + lane * stride) % kBytes / width * width;
        settle(at, mask);
        count_shared(counter, access, warp, mask, at);
        const auto passes = model::shared_passes({kind, static_cast<int>(width), mask, at.of});
        wavefronts += static_cast<std::uint64_t>(passes.wavefronts);
        ideal += static_cast<std::uint64_t>(passes.ideal);
        in_one += passes.ways == 1 ? 1 : 0;
      }
      CHECK(counter.requests == 2000);
      CHECK(counter.wavefronts == wavefronts);
      CHECK(counter.ideal == ideal);
      CHECK(counter.ways[1] == in_one);
    }
  }
}

TEST_CASE("a parameter that lanes index is constant memory, and has replays") {
  TestRun run(kLookUp);
  std::array<std::uint32_t, 32> table{};
  std::iota(table.begin(), table.end(), 7u);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  run.launch("look_up", {1}, {32}, 0, table, out).run();
  CHECK(run.findings() == "");
  CHECK(run.result<std::uint32_t>(0)[31] == 38);
  CHECK(run.counts("constant_load_4").requests == 1);
  CHECK(run.counts("constant_load_4").replays == 31);
}

TEST_CASE("without machine code every row is marked") {
  TestRun run(kLookUp);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  run.launch("look_up", {1}, {32}, 0, std::array<std::uint32_t, 32>{}, out).run();
  REQUIRE(run.seen.lines.size() == 2);
  for (const device::LineCounts& line : run.seen.lines) CHECK_FALSE(line.exact());
}

} // namespace course::emulator
