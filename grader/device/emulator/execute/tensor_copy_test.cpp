// Bulk copies by tensor maps: where every byte of a box goes, what is filled, and the rules;
// kernels of data/tensor.cu.
#include "device/emulator/test_run.hpp"
#include "device/model/tensor_map.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;
using model::Swizzle;
using model::TensorMap;

constexpr std::uint32_t kWidth = 64, kHeight = 40; // of the tensor, in words

struct alignas(64) MapBytes {
  model::TensorMapBytes bytes;
};

struct TensorRun : TestRun {
  TensorRun() : TestRun("tensor.ptx"), in(kWidth * kHeight) {
    std::iota(in.begin(), in.end(), 1u);
    out_at = buffer("out", std::vector<unsigned>(4096, 7));
    in_at = buffer("in", in);
    job.instruction_budget = 5'000'000;
    map.rank = 2;
    map.address = in_at;
    map.size = {kWidth, kHeight};
    map.stride = {4, kWidth * 4};
  }
  TensorRun& load(std::int32_t x, std::int32_t y, const std::string& kernel = "load_box",
                  std::uint32_t offset = 0, std::int32_t more = 0) {
    launch(kernel, {1}, {128}, 0, MapBytes{model::encoded(map)}, out_at, x, y,
           static_cast<std::uint32_t>(static_cast<std::int32_t>(map.bytes()) + more), offset);
    run();
    return *this;
  }
  bool says(const std::string& part) const { return findings().find(part) != std::string::npos; }
  TensorMap map;
  std::vector<unsigned> in;
  device::Address out_at = 0, in_at = 0;
};

} // namespace

TEST_CASE("every word of a box is where the rule has it, and nothing else is written") {
  for (const Swizzle swizzle :
       {Swizzle::none, Swizzle::bytes_32, Swizzle::bytes_64, Swizzle::bytes_128})
    for (const std::uint32_t inner : {16u, 32u, 48u, 64u, 128u})
      for (const bool nan : {false, true})
        for (const auto& [x, y] : {std::pair{0, 0}, {8, 3}, {-4, -2}, {60, 36}}) {
          TensorRun run;
          run.map.swizzle = swizzle;
          run.map.fills_with_nan = nan;
          run.map.box = {inner / 4, 9};
          if (!model::is_accepted(run.map)) continue;
          CAPTURE(inner);
          CAPTURE(static_cast<int>(swizzle));
          CAPTURE(x);
          run.load(x, y);
          REQUIRE(run.why() == "");
          REQUIRE(run.findings() == "");
          // Written down apart from the model, as the note of the measurement has it.
          std::vector<unsigned> expected(4096, 0xabababab);
          const std::uint32_t span = swizzle == Swizzle::none       ? inner
                                     : swizzle == Swizzle::bytes_32 ? 32
                                     : swizzle == Swizzle::bytes_64 ? 64
                                                                    : 128;
          const std::uint32_t bits = swizzle == Swizzle::none       ? 0
                                     : swizzle == Swizzle::bytes_32 ? 1
                                     : swizzle == Swizzle::bytes_64 ? 3
                                                                    : 7;
          for (int r = 0; r < 9; ++r)
            for (int w = 0; w < static_cast<int>(inner / 4); ++w) {
              const std::uint32_t linear =
                  static_cast<std::uint32_t>(r) * span + static_cast<std::uint32_t>(w) * 4;
              const bool inside = x + w >= 0 && x + w < static_cast<int>(kWidth) && y + r >= 0 &&
                                  y + r < static_cast<int>(kHeight);
              expected[(linear ^ ((linear >> 7 & bits) << 4)) / 4] =
                  inside ? run.in[static_cast<std::size_t>((y + r) * 64 + x + w)]
                  : nan  ? 0x7ff77ff7
                         : 0;
            }
          REQUIRE(run.result<unsigned>(0) == expected);
        }
}

TEST_CASE("a copy of a box counts as one, with the sectors of its rows") {
  TensorRun run;
  run.map.box = {32, 8};
  run.load(0, 0);
  CHECK(run.counts("tensor_global_load").requests == 1);
  CHECK(run.counts("tensor_global_load").sectors == 8 * 4);
}

TEST_CASE("a box of three dimensions is copied too") {
  TensorRun run;
  run.map.rank = 3;
  run.map.size = {16, 4, 40};
  run.map.stride = {4, 64, 256};
  run.map.box = {8, 2, 3};
  run.launch("load_cube", {1}, {64}, 0, MapBytes{model::encoded(run.map)}, run.out_at, 4, 1, 5,
             run.map.bytes());
  run.run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  for (std::size_t i = 0; i < 48; ++i) {
    const std::size_t x = 4 + i % 8, y = 1 + i / 8 % 2, z = 5 + i / 16;
    CHECK(run.result<unsigned>(0)[i] == run.in[z * 64 + y * 16 + x]);
  }
}

TEST_CASE("what breaks a rule of boxes is named") {
  TensorRun coordinate;
  coordinate.map.box = {32, 8};
  coordinate.load(2, 0);
  REQUIRE(coordinate.seen.findings.size() == 1);
  CHECK(coordinate.seen.findings[0].kind == FindingKind::bulk_copy);
  CHECK(coordinate.says("odd_coordinate(2, 4)"));
  TensorRun place;
  place.map.box = {32, 8};
  place.load(0, 0, "load_box", 64);
  REQUIRE(place.seen.findings.size() == 1);
  CHECK(place.seen.findings[0].kind == FindingKind::misaligned);
  CHECK(place.says("box_misaligned("));
  CHECK(place.says(", 128)"));
  TensorRun swizzled;
  swizzled.map.box = {32, 8};
  swizzled.map.swizzle = model::Swizzle::bytes_128;
  swizzled.load(0, 0, "load_box", 64);
  CHECK(swizzled.says(", 1024)"));
  TensorRun none;
  none.map.box = {3, 8}; // the driver would not have encoded it
  none.load(0, 0);
  CHECK(none.says("no_tensor_map()"));
  TensorRun unwaited;
  unwaited.map.box = {32, 8};
  unwaited.load(0, 0, "load_unwaited");
  CHECK(unwaited.found(FindingKind::race));
  CHECK(unwaited.says("copy_still_writes("));
  TensorRun many;
  many.map.box = {32, 8};
  many.load(-4, 0, "load_box", 0, 16);
  CHECK(many.says("bytes_do_not_come(16)"));
}

TEST_CASE("a swizzled tile goes out as it came, and what is outside is not written") {
  for (const bool fences : {true, false}) {
    TensorRun run;
    run.map.swizzle = Swizzle::bytes_128;
    run.map.box = {32, 8};
    run.launch("store_box", {1}, {128}, 0, MapBytes{model::encoded(run.map)}, 48, 36, 256u, 7u,
               fences ? 1 : 0);
    run.run();
    CHECK(run.why() == "");
    CHECK((run.findings() == "") == fences);
    CHECK(run.found(FindingKind::proxy) == !fences);
    const auto in = run.result<unsigned>(1);
    for (unsigned y = 0; y < kHeight; ++y)
      for (unsigned x = 0; x < kWidth; ++x) {
        const bool written = x >= 48 && y >= 36;
        REQUIRE(in[y * kWidth + x] ==
                (written ? (y - 36) * 32 + (x - 48) : run.in[y * kWidth + x]));
      }
  }
}

} // namespace course::emulator
