#include "device/emulator/check/note_access.hpp"
#include "device/emulator/check/products.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/decode/tiles.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/matrix_numbers.hpp"
#include "device/emulator/execute/unit_sums.hpp"

#include <map>

namespace course::emulator {
namespace {

constexpr u32 kRows = 8, kRowBytes = 16;

struct Matrix {
  alignas(kRowBytes) u16 row[kRows][kRows];
};

// Elements 2 * (lane % 4) and the next of row lane / 4, or of that column.
template <bool kTransposed>
u16& element(Matrix& matrix, int lane, int which) {
  const int along = 2 * (lane % 4) + which, across = lane / 4;
  return kTransposed ? matrix.row[along][across] : matrix.row[across][along];
}

// The lanes that name a row, and may access it.
u32 rows_of(Warp& warp, const Operation& op, u32 mask, LaneOffsets& at) {
  const u32 matrices = op.immediate;
  const u32 naming = matrices == 4 ? kAllLanes : (1u << kRows * matrices) - 1;
  point(warp, *op.access, at);
  if (!(mask & naming)) return 0;
  Block& block = *warp.block;
  AccessCounter& counter = counter_of(block, op.access->id);
  const u32 rows = check(warp, *op.access, mask & naming, at, block.shared.layout(), counter);
  if (rows) count_shared(counter, *op.access, warp, rows, at);
  return rows;
}

template <bool kTransposed>
void load(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  check_whole_warp(warp, op.access->id, mask);
  LaneOffsets at;
  u32 rows = rows_of(warp, op, mask, at);
  if (rows && block.checks) rows &= ~note_shared(warp, *op.access, rows, at);
  for (u32 m = 0; m < op.immediate; ++m) {
    Matrix matrix;
    std::memset(&matrix, 0xff, sizeof matrix); // rows that could not be read
    for (u32 r = 0; r < kRows; ++r) {
      const u32 lane = m * kRows + r;
      if (rows >> lane & 1)
        std::memcpy(matrix.row[r], block.shared.bytes() + at.of[lane], kRowBytes);
    }
    u32* result = lanes_at<u32>(warp.frame, op.slot[0]) + m * kLanes;
    for (u32 left = mask; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      result[lane] =
          element<kTransposed>(matrix, lane, 0) | u32{element<kTransposed>(matrix, lane, 1)} << 16;
    }
  }
}

template <bool kTransposed>
void store(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  check_whole_warp(warp, op.access->id, mask);
  LaneOffsets at;
  const u32 rows = rows_of(warp, op, mask, at);
  if (rows && block.checks) note_shared(warp, *op.access, rows, at);
  for (u32 m = 0; m < op.immediate; ++m) {
    Matrix matrix{};
    const u32* value = lanes_at<const u32>(warp.frame, op.slot[0]) + m * kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      element<kTransposed>(matrix, lane, 0) = static_cast<u16>(value[lane]);
      element<kTransposed>(matrix, lane, 1) = static_cast<u16>(value[lane] >> 16);
    }
    for (u32 r = 0; r < kRows; ++r) {
      const u32 lane = m * kRows + r;
      if (rows >> lane & 1)
        std::memcpy(block.shared.bytes() + at.of[lane], matrix.row[r], kRowBytes);
    }
  }
}

// ---- products

// A register as the numbers in it: two of 16 bits, or one tf32, whose last 13 bits do not count.
struct F16Pair {
  static constexpr Number kNumber = Number::f16;
  static constexpr int kNumbers = 2;
  static double number(u32 bits, int i) { return of_half(bits >> 16 * i); }
};
struct Bf16Pair {
  static constexpr Number kNumber = Number::bf16;
  static constexpr int kNumbers = 2;
  static double number(u32 bits, int i) { return of_bfloat(bits >> 16 * i); }
};
struct Tf32 {
  static constexpr Number kNumber = Number::tf32;
  static constexpr int kNumbers = 1;
  static double number(u32 bits, int) { return of_tf32(bits); }
};

// m16n8kK, K of 4 or 8 registers' worth of numbers along k.
template <typename Format, int kDepth>
void multiply(Warp& warp, const Operation& op, u32 mask) {
  check_whole_warp(warp, op.immediate, mask);
  constexpr int kAlong = 4 * Format::kNumbers; // numbers along k that four lanes hold
  const auto registers = [&](int slot) {
    return lanes_at<const u32>(warp.frame, op.slot[static_cast<std::size_t>(slot)]);
  };
  const u32 *of_a = registers(1), *of_b = registers(2);
  const float* of_c = lanes_at<const float>(warp.frame, op.slot[3]);
  constexpr int kRowsOfA = 16, kColumns = 8;
  alignas(64) double a[kRowsOfA][kDepth], b[kDepth][kColumns], sum[kRowsOfA][kColumns];
  const auto read = [](const u32* words, int i, auto put) {
    double number[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) number[lane] = Format::number(words[lane], i);
    for (int lane = 0; lane < kLanes; ++lane) put(lane / 4, lane % 4, number[lane]);
  };
  for (int part = 0; part < kDepth / kAlong; ++part) {
    for (int i = 0; i < Format::kNumbers; ++i) {
      const int first = part * kAlong + i;
      for (int half = 0; half < 2; ++half)
        read(of_a + (2 * part + half) * kLanes, i, [&](int across, int along, double number) {
          a[across + half * 8][first + along * Format::kNumbers] = number;
        });
      read(of_b + part * kLanes, i, [&](int across, int along, double number) {
        b[first + along * Format::kNumbers][across] = number;
      });
    }
  }
  // Two neighbours of a row in each lane, and two eight rows below.
  const auto for_each = [&](auto f) {
    for (int r = 0; r < 4; ++r)
      for (int lane = 0; lane < kLanes; ++lane)
        f(r * kLanes + lane, lane, sum[lane / 4 + (r >= 2 ? 8 : 0)][lane % 4 * 2 + r % 2]);
  };
  for_each([&](int from, int, double& to) { to = double{of_c[from]}; });
  static const UnitFormat format = unit_format(Format::kNumber, Format::kNumber, Number::f32);
  add_in_unit(format, {a[0], b[0], sum[0], kDepth, kColumns, kColumns, kRowsOfA, kColumns, kDepth});
  u32* result = lanes_at<u32>(warp.frame, op.slot[0]);
  for_each([&](int to, int lane, double number) {
    if (mask & kLaneBit[lane]) result[to] = float_of_sum(number);
  });
}

constexpr std::string_view kOfAll = "sync.aligned."; // modifiers that every product has

const std::map<std::string, MatrixProduct, std::less<>>& products() {
  static const std::map<std::string, MatrixProduct, std::less<>> all = {
      {"m16n8k8.row.col.f32.f16.f16.f32", {multiply<F16Pair, 8>, 2, 1}},
      {"m16n8k16.row.col.f32.f16.f16.f32", {multiply<F16Pair, 16>, 4, 2}},
      {"m16n8k8.row.col.f32.bf16.bf16.f32", {multiply<Bf16Pair, 8>, 2, 1}},
      {"m16n8k16.row.col.f32.bf16.bf16.f32", {multiply<Bf16Pair, 16>, 4, 2}},
      {"m16n8k4.row.col.f32.tf32.tf32.f32", {multiply<Tf32, 4>, 2, 1}},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", {multiply<Tf32, 8>, 4, 2}},
  };
  return all;
}

} // namespace

Execute matrix_load(bool transposed) {
  return transposed ? load<true> : load<false>;
}
Execute matrix_store(bool transposed) {
  return transposed ? store<true> : store<false>;
}

MatrixProduct matrix_product(const std::string& modifiers) {
  if (!modifiers.starts_with(kOfAll)) return {};
  const auto found = products().find(std::string_view(modifiers).substr(kOfAll.size()));
  return found == products().end() ? MatrixProduct{} : found->second;
}

std::vector<std::string> matrix_product_names() {
  std::vector<std::string> names;
  for (const auto& [name, product] : products()) names.push_back(std::string(kOfAll) + name);
  return names;
}

} // namespace course::emulator
