// What a matrix unit of Hopper adds up, bit for bit (book/data/h200/matrix_sums.csv; NVIDIA
// documents none of it).
//
// An instruction makes one sum for each number of D: c and all its products at once, with no order
// among them.
//  1. Products are exact. A product's exponent is the sum of its factors' exponents; a subnormal
//  number has the least exponent
//     of its type.
//  2. Products that are not zero, and c, are aligned to the largest of these exponents and cut off,
//  toward zero, below
//     `fraction` bits.
//  3. They are added exactly, and the sum is cut off, toward zero, to `kept` significant bits
//  (f32), or rounded once, to
//     nearest (f16).
// Infinities, NaN, the sign of zero and overflow are those of IEEE 754; subnormal results are cut
// off as others are, and what is cut off wholly is +0.
#pragma once

#include "device/emulator/decode/tiles.hpp"
#include "device/emulator/execute/matrix_numbers.hpp"

#include <cmath>

namespace course::emulator {

struct UnitFormat {
  int fraction = 25; // bits below the largest exponent
  int kept = 24;     // significant bits of a sum; all 53 where it becomes an f16
  double least_a{}, least_b{}, least_c{}; // 2^the least exponent of a normal number
};

// Of mma.sync and wmma, and of wgmma. Numbers of a byte are multiplied by wgmma alone; mma.sync
// makes halves of them (tile_products.cpp).
UnitFormat unit_format(Number a, Number b, Number d);
UnitFormat warpgroup_format(Number a, Number b, Number d);

// c += a b, of `depth` products a sum, with the requirements of MatrixSums. Sums for an f16 are not
// yet rounded (half_of does); sums for an f32 are numbers of `kept` bits, for float_of_sum.
void add_in_unit(const UnitFormat&, const MatrixSums<double>&);

// The same of mma.sync with numbers of a byte, which Hopper multiplies by wgmma alone. ptxas makes
// two products of halves of it: of the first two numbers of each register, beginning with zero, and
// of the last two, onto the first's sums, which are rounded to D's type in between. An addition of
// that type to c, to nearest, is the last step.
void add_bytes_in_unit(Number d, const MatrixSums<double>&);

// The bits of a sum as an f32: what is subnormal there is cut off toward zero.
[[gnu::always_inline]] inline u32 float_of_sum(double sum) {
  constexpr double kLeastNormal = 0x1p-126, kLeast = 0x1p-149;
  if (sum > -kLeast && sum < 0) return 0;
  if (sum > -kLeastNormal && sum < kLeastNormal) sum = std::trunc(sum / kLeast) * kLeast;
  return std::bit_cast<u32>(canonical(static_cast<float>(sum)));
}

} // namespace course::emulator
