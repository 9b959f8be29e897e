// Numbers of matrices, for the loops of products: out of bits and into them without branches, and
// the sums of their products.
#pragma once

#include "device/emulator/execute/halves.hpp"

#include <algorithm>

namespace course::emulator {

// As F16::value, but for which NaN a NaN becomes.
[[gnu::always_inline]] inline double of_half(u32 bits) {
  const u32 magnitude = bits & 0x7fff;
  // Subnormal numbers are such of float first, and normal behind the product.
  const u32 finite = std::bit_cast<u32>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
  const u32 whole = magnitude >= 0x7c00 ? 0x7f800000 | magnitude << 13 : finite;
  return double{std::bit_cast<float>(whole | (bits & 0x8000) << 16)};
}
[[gnu::always_inline]] inline double of_bfloat(u32 bits) {
  return double{std::bit_cast<float>(bits << 16)};
}
[[gnu::always_inline]] inline double of_tf32(u32 bits) {
  return double{std::bit_cast<float>(bits & ~0x1fffu)};
}

inline const std::array<double, 256>& numbers_of_e4m3() {
  static const auto all = [] {
    std::array<double, 256> numbers;
    for (u32 bits = 0; bits < numbers.size(); ++bits) numbers[bits] = of_e4m3(bits);
    return numbers;
  }();
  return all;
}

// As F16::rounded, to nearest.
[[gnu::always_inline]] inline u32 half_of(double number) {
  constexpr u64 kBias = 1023, kMantissa = 52, kHalfMantissa = 10;
  const u64 bits = std::bit_cast<u64>(number), magnitude = bits & ~(u64{1} << 63);
  // What has its last place where that of the half is, so that adding it rounds.
  const u64 exponent = std::clamp<u64>(magnitude >> kMantissa, kBias - 14, kBias + 16);
  const double carrier = std::bit_cast<double>((exponent + kMantissa - kHalfMantissa) << kMantissa);
  const double exact = (std::bit_cast<double>(magnitude) + carrier) - carrier;
  const u32 sign = static_cast<u32>(bits >> 48 & 0x8000);
  const u32 finite = std::bit_cast<u32>(static_cast<float>(exact) * 0x1p-112f) >> 13;
  const u32 half = sign | (exact < 0x1p16 ? finite : 0x7c00);
  return number == number ? half : 0x7fff;
}

// c += a b, of `depth` products a sum, in their order whatever is vectorised. Pitches are from row
// to row; there are a multiple of four rows and of eight columns, and rows of b and c are aligned.
template <typename T>
struct MatrixSums {
  const T *a, *b;
  T* c;
  u32 a_pitch, b_pitch, c_pitch;
  u32 rows, columns, depth;

  [[gnu::always_inline]] inline void add() const {
    using Vector [[gnu::vector_size(32)]] = T;
    constexpr u32 kRows = 4, kColumns = 8, kEach = 32 / sizeof(T), kVectors = kColumns / kEach;
    for (u32 column = 0; column < columns; column += kColumns) {
      for (u32 row = 0; row < rows; row += kRows) {
        Vector sum[kRows][kVectors];
        for (u32 r = 0; r < kRows; ++r)
          for (u32 v = 0; v < kVectors; ++v)
            sum[r][v] = *reinterpret_cast<Vector*>(c + (row + r) * c_pitch + column + v * kEach);
        for (u32 k = 0; k < depth; ++k) {
          const auto* line = reinterpret_cast<const Vector*>(b + k * b_pitch + column);
          for (u32 r = 0; r < kRows; ++r)
            for (u32 v = 0; v < kVectors; ++v) sum[r][v] += line[v] * a[(row + r) * a_pitch + k];
        }
        for (u32 r = 0; r < kRows; ++r)
          for (u32 v = 0; v < kVectors; ++v)
            *reinterpret_cast<Vector*>(c + (row + r) * c_pitch + column + v * kEach) = sum[r][v];
      }
    }
  }
  static void any(const MatrixSums& sums) { sums.add(); }
  [[COURSE_AVX2]] static void avx2(const MatrixSums& sums) { sums.add(); }
  void operator()() const {
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    (has_avx2 ? avx2 : any)(*this);
  }
};

} // namespace course::emulator
