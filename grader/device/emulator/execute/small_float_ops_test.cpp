// Conversions of numbers of 8 bits, by numbers that the PTX ISA and the formats' paper name
// (differential/ has all of them by random).
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace course::emulator {
namespace {

// What `cvt` makes of two numbers, which are all of a result's halves.
std::uint32_t pair_of(const std::string& cvt, float high, float low) {
  TestRun run(".version 9.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 out, .param .f32 a, .param .f32 b) {\n"
              ".reg .b64 %o; .reg .f32 %a, %b; .reg .b16 %h; .reg .b32 %w;\n"
              "ld.param.u64 %o, [out]; ld.param.f32 %a, [a]; ld.param.f32 %b, [b];\n" +
              cvt + " %h, %a, %b; cvt.u32.u16 %w, %h; st.global.u32 [%o], %w; ret;\n}\n");
  const auto out = run.buffer("out", std::vector<std::uint32_t>(1));
  run.launch("k", {1}, {1}, 0, out, high, low).run();
  CHECK_MESSAGE(run.why() == "", run.why());
  return run.result<std::uint32_t>(0)[0];
}

std::uint32_t halves_of(const std::string& cvt, unsigned both) {
  TestRun run(".version 9.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 out, .param .u32 a) {\n"
              ".reg .b64 %o; .reg .b16 %h; .reg .b32 %w;\n"
              "ld.param.u64 %o, [out]; ld.param.u32 %w, [a]; cvt.u16.u32 %h, %w;\n" +
              cvt + " %w, %h; st.global.u32 [%o], %w; ret;\n}\n");
  const auto out = run.buffer("out", std::vector<std::uint32_t>(1));
  run.launch("k", {1}, {1}, 0, out, both).run();
  CHECK_MESSAGE(run.why() == "", run.why());
  return run.result<std::uint32_t>(0)[0];
}

} // namespace

TEST_CASE("numbers become those of 8 bits, the first above, to the nearest, and none too large") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const std::string e4m3 = "cvt.rn.satfinite.e4m3x2.f32", e5m2 = "cvt.rn.satfinite.e5m2x2.f32";
  CHECK(pair_of(e4m3, 1, -2) == 0x38c0);
  CHECK(pair_of(e4m3, 448, 1000) == 0x7e7e); // the largest
  CHECK(pair_of(e4m3, -kInfinity, kNan) == 0xfe7f);
  CHECK(pair_of(e4m3, std::ldexp(1.f, -9), std::ldexp(1.f, -10)) == 0x0100);     // a tie, to even
  CHECK(pair_of(e4m3, std::ldexp(15.f, -10), std::ldexp(15.9f, -10)) == 0x0808); // carries
  CHECK(pair_of(e4m3, 17, 19) == 0x585a);                                        // ties: 16 and 20
  CHECK(pair_of("cvt.rn.satfinite.relu.e4m3x2.f32", -3, kNan) == 0x007f);
  CHECK(pair_of(e5m2, 1, -2) == 0x3cc0);
  CHECK(pair_of(e5m2, 57344, kInfinity) == 0x7b7b);
  CHECK(pair_of(e5m2, kNan, std::ldexp(1.f, -16)) == 0x7f01);
  CHECK(pair_of(e5m2, 60000, 1.125f) == 0x7b3c);
}

TEST_CASE("halves of numbers of 8 bits are exact") {
  CHECK(halves_of("cvt.rn.f16x2.e4m3x2", 0x7e01) == 0x5f001800); // 448, 2^-9
  CHECK(halves_of("cvt.rn.f16x2.e4m3x2", 0xb8ff) == 0xbc007fff); // -1, NaN
  CHECK(halves_of("cvt.rn.f16x2.e5m2x2", 0x7cbc) == 0x7c00bc00); // infinity, -1
  CHECK(halves_of("cvt.rn.relu.f16x2.e5m2x2", 0xbc3c) == 0x00003c00);
}

} // namespace course::emulator
