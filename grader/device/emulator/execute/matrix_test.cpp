// ldmatrix, stmatrix and mma.sync against loops over rows and columns.
#include "device/emulator/test_run.hpp"

#include "device/emulator/execute/halves.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

namespace course::emulator {
namespace {

using device::FindingKind;

// Where the numbers of a lane are in their matrix.
struct Place {
  std::size_t row, column;
};
Place place(std::size_t lane, std::size_t which, bool transposed) {
  const std::size_t across = lane / 4, along = 2 * (lane % 4) + which;
  return transposed ? Place{along, across} : Place{across, along};
}

std::vector<u16> random_bits(std::size_t count) {
  std::mt19937 random(11);
  std::vector<u16> bits(count);
  for (u16& value : bits) value = static_cast<u16>(random());
  return bits;
}

std::string form(std::size_t matrices, bool transposed) {
  return "<" + std::to_string(matrices) + ", " + (transposed ? "true" : "false") + ">";
}

} // namespace

TEST_CASE("ldmatrix deals rows, or columns, to the lanes") {
  for (const std::size_t matrices : {1u, 2u, 4u}) {
    for (const bool transposed : {false, true}) {
      for (const std::size_t pitch : {8u, 24u, 64u}) {
        CAPTURE(matrices);
        CAPTURE(transposed);
        CAPTURE(pitch);
        const auto in = random_bits(32 * pitch);
        TestRun run("matrix.ptx");
        const auto out = run.buffer("out", std::vector<u32>(32 * matrices), false);
        const auto from = run.buffer("in", in);
        run.launch("loads" + form(matrices, transposed), {1}, {32}, 0, out, from, int(pitch)).run();
        CHECK(run.why() == "");
        CHECK(run.findings() == "");
        const auto result = run.result<u32>(0);
        for (std::size_t m = 0; m < matrices; ++m) {
          for (std::size_t lane = 0; lane < 32; ++lane) {
            for (std::size_t which = 0; which < 2; ++which) {
              const Place at = place(lane, which, transposed);
              const u16 expected = in[(8 * m + at.row) * pitch + at.column];
              CHECK(static_cast<u16>(result[32 * m + lane] >> 16 * which) == expected);
            }
          }
        }
        // 16 bytes, 48, 128: rows in 8, 8 and one group of banks.
        const auto counts = run.counts("ldmatrix_x" + std::to_string(matrices));
        CHECK(counts.requests == 1);
        CHECK(counts.ideal == matrices);
        CHECK(counts.wavefronts == matrices * (pitch == 64 ? 8 : 1));
      }
    }
  }
}

TEST_CASE("stmatrix writes rows, or columns, from the lanes") {
  for (const std::size_t matrices : {1u, 2u, 4u}) {
    for (const bool transposed : {false, true}) {
      CAPTURE(matrices);
      CAPTURE(transposed);
      const auto bits = random_bits(64 * matrices);
      std::vector<u32> in(32 * matrices);
      std::memcpy(in.data(), bits.data(), in.size() * 4);
      TestRun run("matrix.ptx");
      const auto out = run.buffer("out", std::vector<u16>(64 * matrices), false);
      const auto from = run.buffer("in", in);
      run.launch("stores" + form(matrices, transposed), {1}, {32}, 0, out, from, 64).run();
      CHECK(run.why() == "");
      CHECK(run.findings() == "");
      const auto result = run.result<u16>(0);
      for (std::size_t m = 0; m < matrices; ++m) {
        for (std::size_t lane = 0; lane < 32; ++lane) {
          for (std::size_t which = 0; which < 2; ++which) {
            const Place at = place(lane, which, transposed);
            CHECK(result[64 * m + 8 * at.row + at.column] ==
                  static_cast<u16>(in[32 * m + lane] >> 16 * which));
          }
        }
      }
      CHECK(run.counts("stmatrix_x" + std::to_string(matrices)).wavefronts == 8 * matrices);
    }
  }
}

TEST_CASE("mma.sync multiplies matrices of f16") {
  std::mt19937 random(12);
  std::vector<u16> a(16 * 16), b(8 * 16);
  std::vector<float> c(16 * 8);
  const auto small = [&] { return static_cast<double>(random() % 33) / 8 - 2; };
  for (u16& bits : a) bits = F16::rounded(small());
  for (u16& bits : b) bits = F16::rounded(small());
  for (float& number : c) number = static_cast<float>(small());
  TestRun run("matrix.ptx");
  const auto in_out = run.buffer("c", c);
  const auto of_a = run.buffer("a", a), of_b = run.buffer("b", b);
  run.launch("multiplies", {1}, {32}, 0, in_out, of_a, of_b).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  const auto result = run.result<float>(0);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      double sum = double{c[row * 8 + column]};
      for (std::size_t k = 0; k < 16; ++k)
        sum += F16::value(a[row * 16 + k]) * F16::value(b[column * 16 + k]);
      CHECK(double{result[row * 8 + column]} == sum); // such sums are exact
    }
  }
}

TEST_CASE("mma.sync in tf32 takes ten bits of each fraction") {
  std::vector<float> a(16 * 8), b(8 * 8);
  std::iota(a.begin(), a.end(), -64.0f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1 + float(i) / 1024 + 1.0f / 8192;
  TestRun run("matrix.ptx");
  const auto in_out = run.buffer("c", std::vector<float>(16 * 8));
  const auto of_a = run.buffer("a", a), of_b = run.buffer("b", b);
  run.launch("multiplies_tf32", {1}, {32}, 0, in_out, of_a, of_b).run();
  CHECK(run.why() == "");
  const auto result = run.result<float>(0);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < 8; ++k) sum += a[row * 8 + k] * (b[column * 8 + k] - 1.0f / 8192);
      CHECK(result[row * 8 + column] == sum);
    }
  }
}

TEST_CASE("a row that nothing has written, or that is no row, is found") {
  TestRun unwritten("matrix.ptx");
  const auto out = unwritten.buffer("out", std::vector<u32>(32), false);
  unwritten.launch("reads_a_row_too_many", {1}, {32}, 0, out).run();
  REQUIRE(unwritten.found(FindingKind::uninitialised));
  CHECK(unwritten.seen.findings[0].thread == device::Dim3{3, 0, 0});
  CHECK(unwritten.result<u32>(0)[12] == 0xffffffff);
  CHECK(unwritten.result<u32>(0)[16] == (32u | 33u << 16));

  TestRun beyond("matrix.ptx");
  const auto there = beyond.buffer("out", std::vector<u32>(32), false);
  beyond.launch("reads_beyond", {1}, {32}, 0, there).run();
  REQUIRE(beyond.found(FindingKind::out_of_bounds));
  CHECK(beyond.findings().find("past_end(sized(shared, 128))") != std::string::npos);
}

TEST_CASE("a matrix instruction without the whole warp is reported") {
  TestRun run("matrix.ptx");
  const auto out = run.buffer("out", std::vector<u32>(32), false);
  run.launch("reads_beyond", {1}, {16}, 0, out).run();
  CHECK(run.findings().find("needs_whole_warp(lanes 0xffff)") != std::string::npos);
}

TEST_CASE("other matrix instructions are refused by name, with the line") {
  for (const std::string instruction :
       {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, "
        "{%r2, %r2}, {%r3, %r3}, {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1};",
        "mma.sync.aligned.m16n8k32.row.row.s32.s8.s8.s32 {%r1, %r1, %r1, %r1}, {%r2, %r2, %r2, "
        "%r2}, {%r3, %r3}, {%r1, %r1, %r1, %r1};",
        "wmma.load.a.sync.aligned.row.m16n16k8.shared.f16 {%r1, %r1, %r1, %r1, %r1, %r1, %r1, "
        "%r1}, [%r2];",
        "wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r1}, [%r2];", "wgmma.fence.aligned;"}) {
    TestRun run(std::string(".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".file 1 \"kernel.cu\"\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"
                            ".loc 1 7 3\n") +
                instruction + "\nret;\n}\n");
    run.launch("k", {1}, {32}, 0).run();
    CHECK(run.seen.status == device::Observation::Status::unsupported);
    CHECK(run.why().find(", kernel.cu, 7)") != std::string::npos);
    const std::string name = instruction.substr(0, instruction.find_first_of(" ;"));
    CHECK(run.why().find(name) != std::string::npos);
  }
}

} // namespace course::emulator
