#include "device/emulator/decode/tiles.hpp"

#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

namespace course::emulator {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream from(text);
  for (std::string word; std::getline(from, word, '.');) all.push_back(word);
  return all;
}

bool is_product(const std::string& opcode, const std::string& modifiers) {
  return product_of(opcode == "mma" ? ptx::Opcode::mma : ptx::Opcode::wmma_mma, words(modifiers))
      .has_value();
}

// How often each element of a tile is somewhere in the registers of a warp.
std::map<std::pair<int, int>, int> places(const Tile& tile) {
  std::map<std::pair<int, int>, int> all;
  for (int reg = 0; reg < tile.registers(); ++reg)
    for (int i = 0; i < tile.per_register(); ++i)
      for (int lane = 0; lane < kLanes; ++lane) {
        const Place first = place_of(tile, reg, i);
        ++all[{first.across + lane / 4, first.along + lane % 4 * first.step}];
      }
  return all;
}

} // namespace

TEST_CASE("each element of a tile is in one register of one lane") {
  for (const char* shape : {"m16n16k16.f16", "m32n8k16.bf16", "m8n32k16.s8", "m16n16k8.tf32",
                            "m8n8k4.f64", "m8n8k32.u4", "m8n8k128.b1"}) {
    const auto dot = std::string(shape).find('.');
    const std::string size = std::string(shape).substr(0, dot);
    const std::string type = std::string(shape).substr(dot + 1);
    const bool integers = type == "s8" || type == "u4" || type == "b1";
    for (const char* part : {"a", "b", "c"}) {
      CAPTURE(shape);
      CAPTURE(part);
      const auto tile = tile_of(part, size,
                                *part != 'c'    ? type
                                : type == "f64" ? "f64"
                                : integers      ? "s32"
                                                : "f32");
      REQUIRE(tile);
      const auto all = places(*tile);
      CHECK(all.size() == static_cast<std::size_t>(tile->across * tile->along));
      for (const auto& [at, count] : all) {
        CHECK(count == 1);
        CHECK(at.first < tile->across);
        CHECK(at.second < tile->along);
      }
    }
  }
}

TEST_CASE("products are those that PTX has at sm_90, and no others") {
  CHECK(is_product("mma", "sync.aligned.m16n8k64.row.col.s32.s4.u4.s32"));
  CHECK(is_product("mma", "sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"));
  CHECK(is_product("mma", "sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"));
  CHECK(is_product("mma", "sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"));
  CHECK(is_product("wmma", "mma.sync.aligned.col.row.m32n8k16.f16.f16"));
  CHECK(is_product("wmma", "mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32.satfinite"));
  CHECK_FALSE(is_product("mma", "sync.aligned.m16n8k16.row.row.f32.f16.f16.f32"));
  CHECK_FALSE(is_product("mma", "sync.aligned.m16n8k16.row.col.f16.f16.f16.f32"));
  CHECK_FALSE(is_product("mma", "sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"));
  CHECK_FALSE(is_product("mma", "aligned.m16n8k32.row.col.s32.s8.s8.s32"));
  CHECK_FALSE(is_product("mma", "sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.popc"));
  CHECK_FALSE(is_product("wmma", "mma.sync.aligned.row.col.m8n8k4.s32.s8.s8.s32"));
  CHECK_FALSE(tile_of("a", "m16n16k8", "f16"));
  CHECK_FALSE(tile_of("e", "m16n16k16", "f16"));
}

TEST_CASE("a product saturates where it is asked to") {
  const auto run_with = [](const std::string& saturate) {
    TestRun run(".version 8.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
                "ld.param.u64 %rd1, [out];\nmov.u32 %r1, 0x7f7f7f7f;\nmov.u32 %r2, 0x7ffffff0;\n"
                "mma.sync.aligned.m8n8k16.row.col" +
                saturate +
                ".s32.s8.s8.s32 {%r3, %r4}, {%r1}, {%r1}, {%r2, %r2};\n"
                "mov.u32 %r5, %tid.x;\nmul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
                "st.global.u32 [%rd3], %r3;\nret;\n}\n");
    const auto out = run.buffer("out", std::vector<std::int32_t>(32));
    run.launch("k", {1}, {32}, 0, out).run();
    CHECK(run.why() == "");
    return run.result<std::int32_t>(0)[5];
  };
  CHECK(run_with(".satfinite") == 0x7fffffff);
  CHECK(run_with("") == static_cast<std::int32_t>(0x7ffffff0u + 16u * 127 * 127));
}

} // namespace course::emulator
