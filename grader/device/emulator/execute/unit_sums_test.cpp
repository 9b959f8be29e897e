#include "device/emulator/execute/unit_sums.hpp"

#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace course::emulator {
namespace {

// A row of the table: one sum of an instruction, as bits.
struct Measured {
  std::string instruction;
  u32 depth = 0, times = 0;
  bool adds = false;
  u32 c = 0, d = 0;
  std::vector<u32> a, b;
};

std::vector<u32> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<u32> words;
  for (u32 word = 0; in >> std::hex >> word;) words.push_back(word);
  return words;
}

std::vector<Measured> measured_sums() {
  std::istringstream table(read_file(COURSE_SOURCE_DIR "/book/data/h200/matrix_sums.csv"));
  std::vector<Measured> rows;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#') || line.starts_with("instruction")) continue;
    std::istringstream in(line);
    std::array<std::string, 9> cell;
    for (std::string& each : cell) std::getline(in, each, ',');
    const auto hex = [](const std::string& text) {
      return static_cast<u32>(std::stoul(text, nullptr, 16));
    };
    const auto count = [](const std::string& text) { return static_cast<u32>(std::stoul(text)); };
    rows.push_back({cell[0], count(cell[2]), count(cell[3]), cell[4] == "1", hex(cell[5]),
                    hex(cell[8]), words_in(cell[6]), words_in(cell[7])});
  }
  return rows;
}

// "mma e4m3 e5m2", "wgmma f16 to f16", "mma tf32 k4"
struct Kind {
  bool warpgroup = false;
  Number a{}, b{}, d = Number::f32;
};
Kind kind_named(const std::string& name) {
  std::istringstream in(name);
  std::string unit, word;
  in >> unit >> word;
  Kind kind;
  kind.warpgroup = unit == "wgmma";
  kind.a = kind.b = number_named(word).value();
  for (bool to = false; in >> word; to = word == "to")
    if (to)
      kind.d = number_named(word).value();
    else if (const auto number = number_named(word))
      kind.b = *number;
  return kind;
}

double number_of(Number number, u32 bits) {
  switch (number) {
  case Number::f16:
    return of_half(bits);
  case Number::bf16:
    return of_bfloat(bits);
  case Number::tf32:
    return of_tf32(bits);
  case Number::e4m3:
    return numbers_of_e4m3()[bits];
  case Number::e5m2:
    return of_half(bits << 8);
  default:
    return double{std::bit_cast<float>(bits)};
  }
}

constexpr u32 kRows = 4, kColumns = 8, kMostDepth = 32; // the least that is added up at once

struct alignas(64) Operands {
  double a[kRows][kMostDepth] = {}, b[kMostDepth][kColumns] = {}, c[kRows][kColumns] = {};
};

// The bits that the emulated unit makes of a row, where it stands at one place of matrices that are
// zero elsewhere: or full of numbers that have to be cut off, so that no short cut is taken.
u32 added(const Measured& row, u32 at_row, u32 at_column, double elsewhere) {
  const Kind kind = kind_named(row.instruction);
  const auto bits = static_cast<u32>(bits_of(kind.a)), each = 32 / bits;
  Operands of;
  for (u32 r = 0; r < kRows; ++r)
    for (u32 k = 0; k < row.depth; ++k) of.a[r][k] = elsewhere / (1 + k);
  for (u32 k = 0; k < row.depth; ++k)
    for (u32 column = 0; column < kColumns; ++column) of.b[k][column] = elsewhere / (1 + column);
  for (u32 k = 0; k < row.depth; ++k) {
    const auto number_in = [&](Number number, const std::vector<u32>& words) {
      return number_of(number, words[k / each] >> k % each * bits & (~u32{0} >> (32 - bits)));
    };
    of.a[at_row][k] = number_in(kind.a, row.a);
    of.b[k][at_column] = number_in(kind.b, row.b);
  }
  u32 sum = row.adds ? row.c : 0;
  for (u32 i = 0; i < row.times; ++i) {
    for (auto& line : of.c) std::fill(line, line + kColumns, 0.0);
    double& c = of.c[at_row][at_column];
    c = number_of(kind.d, sum);
    const MatrixSums<double> sums{of.a[0],  of.b[0], of.c[0],  kMostDepth, kColumns,
                                  kColumns, kRows,   kColumns, row.depth};
    if (!kind.warpgroup && bits == 8)
      add_bytes_in_unit(kind.d, sums);
    else
      add_in_unit((kind.warpgroup ? warpgroup_format : unit_format)(kind.a, kind.b, kind.d), sums);
    sum = kind.d == Number::f16 ? half_of(c) : float_of_sum(c);
  }
  return sum;
}

} // namespace

TEST_CASE("every sum that an H200's matrix units made is made here, bit for bit") {
  std::map<std::string, int> unequal, all;
  u32 place = 0;
  for (const Measured& row : measured_sums()) {
    ++all[row.instruction];
    const u32 at_row = place % kRows, at_column = ++place % kColumns;
    unequal[row.instruction] += added(row, at_row, at_column, 0) != row.d;
    unequal[row.instruction] += added(row, at_row, at_column, 0x1.9p-9) != row.d;
  }
  CHECK(all.size() == 22);
  for (const auto& [instruction, count] : unequal) {
    CAPTURE(instruction);
    CHECK(all[instruction] >= 64);
    CHECK(count == 0);
  }
}

TEST_CASE(
    "a unit loses what is 25 bits below its largest product, and one in bytes what is 13 below") {
  Operands of;
  of.c[0][0] = 1;
  for (u32 k = 0; k < 16; ++k) of.a[0][k] = of.b[k][0] = 0x1p-13;
  const MatrixSums<double> sums{of.a[0],  of.b[0], of.c[0],  kMostDepth, kColumns,
                                kColumns, kRows,   kColumns, 16};
  add_in_unit(unit_format(Number::bf16, Number::bf16, Number::f32), sums);
  CHECK(of.c[0][0] == 1);
  for (u32 k = 0; k < 16; ++k) of.a[0][k] = 0x1p-12; // 2^-25 each: kept, and together 2^-21
  add_in_unit(unit_format(Number::bf16, Number::bf16, Number::f32), sums);
  CHECK(of.c[0][0] == 1 + 0x1p-21);
  of.c[0][0] = 1;
  add_in_unit(warpgroup_format(Number::e4m3, Number::e4m3, Number::f32), sums);
  CHECK(of.c[0][0] == 1);
}

// Row 10,894 of ./matrix_sums 32 20261128 8 on an H200, mma tf32 k4: four products of which an f32
// has nothing left, with a negative sum.
TEST_CASE("a sum that is cut off wholly is +0, whatever its sign was") {
  CHECK(float_of_sum(-0x1p-250) == 0);
  CHECK(float_of_sum(0x1p-250) == 0);
  CHECK(float_of_sum(-0x1p-149) == 0x80000001);
}

} // namespace course::emulator
