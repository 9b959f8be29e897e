#include "device/emulator/execute/matrix_numbers.hpp"

#include "device/emulator/execute/halves.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace course::emulator {
namespace {

u64 bits_of(double number) {
  return std::bit_cast<u64>(number);
}

template <typename T>
std::vector<T> any(std::size_t count) {
  std::mt19937 drawn(11);
  std::vector<T> all(count);
  for (T& one : all) one = static_cast<T>(static_cast<int>(drawn() % 2001) - 1000) / 8;
  return all;
}

// Matrices of a shape, summed up in blocks, against one sum after the other.
template <typename T>
void check_sums(u32 rows, u32 columns, u32 depth) {
  constexpr u32 kPitch = 64;
  struct alignas(64) Matrix {
    T of[kPitch * kPitch];
  };
  static Matrix a, b, c;
  const auto numbers = any<T>(3 * kPitch * kPitch);
  std::copy_n(numbers.begin(), kPitch * kPitch, a.of);
  std::copy_n(numbers.begin() + kPitch * kPitch, kPitch * kPitch, b.of);
  std::copy_n(numbers.begin() + 2 * kPitch * kPitch, kPitch * kPitch, c.of);
  Matrix expected = c;
  for (u32 row = 0; row < rows; ++row)
    for (u32 column = 0; column < columns; ++column)
      for (u32 k = 0; k < depth; ++k)
        expected.of[row * kPitch + column] += a.of[row * kPitch + k] * b.of[k * kPitch + column];
  const MatrixSums<T> sums{a.of, b.of, c.of, kPitch, kPitch, kPitch, rows, columns, depth};
  Matrix again = c;
  sums();
  CHECK(std::equal(c.of, c.of + kPitch * kPitch, expected.of));
  c = again;
  MatrixSums<T>::any(sums);
  CHECK(std::equal(c.of, c.of + kPitch * kPitch, expected.of));
}

} // namespace

TEST_CASE("each half is the number that it is one by one") {
  int differ = 0;
  for (u32 bits = 0; bits < 1u << 16; ++bits) {
    const double expected = F16::value(static_cast<u16>(bits)), got = of_half(bits);
    differ += expected != expected ? got == got : bits_of(got) != bits_of(expected);
  }
  CHECK(differ == 0);
}

TEST_CASE("numbers become the nearest half as they do one by one") {
  int differ = 0;
  const auto compare = [&](double number) {
    differ += half_of(number) != F16::rounded(number);
    differ += half_of(-number) != F16::rounded(-number);
  };
  const auto around = [&](double number) {
    compare(number);
    compare(std::nextafter(number, 0.0));
    compare(std::nextafter(number, 1e300));
  };
  for (u32 bits = 0; bits < 0x7c00; ++bits) {
    const double here = F16::value(static_cast<u16>(bits));
    around(here);
    if (bits + 1 < 0x7c00) around((here + F16::value(static_cast<u16>(bits + 1))) / 2);
  }
  around(65520); // half way to what is too large
  around(65536);
  around(131072);
  for (const double number : {1e-300, 5e-324, 1e300, 1e308, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()})
    compare(number);
  std::mt19937_64 drawn(5);
  for (int i = 0; i < 100000; ++i) compare(std::bit_cast<double>(u64{drawn()}));
  CHECK(differ == 0);
}

TEST_CASE("sums of products are those of one product after the other") {
  check_sums<double>(16, 8, 16);
  check_sums<double>(8, 32, 5);
  check_sums<double>(32, 16, 64);
  check_sums<double>(4, 64, 1);
  check_sums<s32>(16, 8, 32);
  check_sums<s32>(8, 24, 64);
}

TEST_CASE("a product of matrices that is not a number is PTX's own NaN") {
  TestRun run(".version 8.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<12>;\n.reg .f32 %f<4>;\n"
              ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, 0xfe01fe01;\n"
              "mov.f32 %f0, 0f00000000;\nmov.u32 %r2, 0;\n"
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
              "{%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f0, %f0, %f0, %f0};\n"
              "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r3, %r4}, "
              "{%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r2, %r2};\n"
              "mov.u32 %r5, %tid.x;\nmul.wide.u32 %rd2, %r5, 8;\nadd.u64 %rd3, %rd1, %rd2;\n"
              "st.global.f32 [%rd3], %f1;\nst.global.u32 [%rd3+4], %r3;\nret;\n}\n");
  const auto out = run.buffer("out", std::vector<u32>(64));
  run.launch("k", {1}, {32}, 0, out).run();
  CHECK(run.seen.reason == "");
  CHECK(run.result<u32>(0)[6] == 0x7fffffff);
  CHECK(run.result<u32>(0)[7] == 0x7fff7fff);
}

} // namespace course::emulator
