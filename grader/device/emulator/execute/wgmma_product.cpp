// Numbers of a warp's share of a product of a warpgroup: out of shared memory and registers, their
// sums, and back into registers.
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/matrix_numbers.hpp"
#include "device/emulator/execute/unit_sums.hpp"
#include "device/emulator/execute/wgmma.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace course::emulator {
namespace {

constexpr u32 kRows = 16;                          // of A, that a warp has
constexpr u32 kMostColumns = 256, kMostDepth = 32; // of B; along K
constexpr u32 kEight = 8, kFour = 4;               // lanes across and along
constexpr u32 kChunkBytes = model::kProductChunk;

// The numbers in some bytes, one behind the other.
void numbers_in(Number number, const std::byte* bytes, u32 count, double* to) {
  const auto each = [&](auto part, auto value) {
    for (u32 i = 0; i < count; ++i) {
      auto bits = part;
      std::memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
      to[i] = value(bits);
    }
  };
  switch (number) {
  case Number::bf16:
    return each(u16{}, [](u16 bits) { return of_bfloat(bits); });
  case Number::f16:
    return each(u16{}, [](u16 bits) { return of_half(bits); });
  case Number::tf32:
    return each(u32{}, [](u32 bits) { return of_tf32(bits); });
  case Number::e4m3:
    return each(u8{}, [&all = numbers_of_e4m3()](u8 bits) { return all[bits]; });
  case Number::e5m2:
    return each(u8{}, [](u8 bits) { return of_half(u32{bits} << 8); });
  case Number::int8:
    return each(s8{}, [](s8 value) { return double(value); });
  default:
    return each(u8{}, [](u8 value) { return double(value); });
  }
}

// What a warp multiplies: its rows of A, all columns of B by K, and its rows of D.
struct alignas(64) Numbers {
  double a[kRows][kMostDepth];
  double b[kMostDepth][kMostColumns];
  double d[kRows][kMostColumns];
};

std::byte chunk_bytes_outside[kChunkBytes];

// f(across, along, value) for the numbers of an operand in shared memory.
template <typename F>
void for_numbers(Warp& warp, Number number, model::Major major, const std::vector<u32>& chunks,
                 F&& f) {
  Block& block = *warp.block;
  const u64 size = block.shared.layout().guarded_bytes();
  const u32 per_chunk = kChunkBytes * 8 / static_cast<u32>(bits_of(number));
  const u32 along =
      major == model::Major::k ? 2 : model::kProductDepth * 8 / static_cast<u32>(bits_of(number));
  double values[kChunkBytes];
  for (u32 i = 0; i < chunks.size(); ++i) {
    const bool inside = u64{chunks[i]} + kChunkBytes <= size;
    numbers_in(number, inside ? block.shared.bytes() + chunks[i] : chunk_bytes_outside, per_chunk,
               values);
    const u32 x = i / along, y = i % along;
    for (u32 e = 0; e < per_chunk; ++e)
      if (major == model::Major::k)
        f(x, y * per_chunk + e, values[e]);
      else
        f(x * per_chunk + e, y, values[e]);
  }
}

// A's registers: as those of mma.sync, two along of eight rows and the next eight.
template <typename F>
void for_registers(Warp& warp, const WarpgroupProduct& product, F&& f) {
  const u32 each = 32 / static_cast<u32>(bits_of(product.a));
  double values[4];
  for (u32 reg = 0; reg < product.a_slots.size(); ++reg) {
    const std::byte* lanes = warp.frame + product.a_slots[reg];
    for (u32 lane = 0; lane < kLanes; ++lane) {
      numbers_in(product.a, lanes + 4 * lane, each, values);
      for (u32 i = 0; i < each; ++i)
        f(lane / kFour + kEight * (reg % 2), (lane % kFour + kFour * (reg / 2)) * each + i,
          values[i]);
    }
  }
}

// f(register, lane, row, column) for the accumulators, of 16 bits for both in a register.
template <typename F>
void for_accumulators(const WarpgroupProduct& product, F&& f) {
  const u32 each = product.d == Number::f16 ? 2 : 1;
  for (u32 reg = 0; reg < product.d_slots.size(); ++reg) {
    const u32 number = reg * each; // of the lane's: two neighbours, eight rows on, eight columns on
    for (u32 lane = 0; lane < kLanes; ++lane)
      f(reg, lane, lane / kFour + kEight * (number / 2 % 2),
        number / 4 * kEight + lane % kFour * 2 + number % 2);
  }
}

void read_accumulators(Warp& warp, const WarpgroupProduct& product, Numbers& numbers) {
  const u32 adds = predicate_at(warp.frame, product.adds);
  for_accumulators(product, [&](u32 reg, u32 lane, u32 row, u32 column) {
    const u32 bits = lanes_at<const u32>(warp.frame, product.d_slots[reg])[lane];
    double* to = &numbers.d[row][column];
    const bool added = adds >> lane & 1;
    if (product.d == Number::f16) {
      to[0] = added ? of_half(bits & 0xffff) : 0;
      to[1] = added ? of_half(bits >> 16) : 0;
    } else if (product.d == Number::f32) {
      to[0] = added ? double{std::bit_cast<float>(bits)} : 0;
    } else {
      to[0] = added ? static_cast<double>(static_cast<s32>(bits)) : 0;
    }
  });
}

u32 integer_bits(double sum, bool saturates) {
  constexpr double kLeast = std::numeric_limits<s32>::min(),
                   kMost = std::numeric_limits<s32>::max();
  if (saturates) sum = std::clamp(sum, kLeast, kMost);
  return static_cast<u32>(static_cast<s64>(sum));
}

void write_accumulators(Warp& warp, const WarpgroupProduct& product, const Numbers& numbers) {
  for_accumulators(product, [&](u32 reg, u32 lane, u32 row, u32 column) {
    const double* sum = &numbers.d[row][column];
    u32& to = lanes_at<u32>(warp.frame, product.d_slots[reg])[lane];
    if (product.d == Number::f16)
      to = half_of(sum[0]) | half_of(sum[1]) << 16;
    else if (product.d == Number::f32)
      to = float_of_sum(sum[0]);
    else
      to = integer_bits(sum[0], product.saturates);
  });
}

} // namespace

void multiply(Warp& warp, const WarpgroupProduct& product, const ProductChunks& chunks) {
  static thread_local Numbers numbers;
  const double sign_a = product.negates_a ? -1 : 1, sign_b = product.negates_b ? -1 : 1;
  const auto put_a = [&](u32 row, u32 k, double value) { numbers.a[row][k] = sign_a * value; };
  if (product.a_in_registers)
    for_registers(warp, product, put_a);
  else
    for_numbers(warp, product.a, product.a_major, chunks.of_a, put_a);
  for_numbers(warp, product.b, product.b_major, chunks.of_b,
              [&](u32 column, u32 k, double value) { numbers.b[k][column] = sign_b * value; });
  read_accumulators(warp, product, numbers);
  const MatrixSums<double> sums{numbers.a[0], numbers.b[0],    numbers.d[0],
                                kMostDepth,   kMostColumns,    kMostColumns,
                                kRows,        product.columns, product.depth()};
  if (product.d == Number::int32)
    sums();
  else
    add_in_unit(warpgroup_format(product.a, product.b, product.d), sums);
  write_accumulators(warp, product, numbers);
}

} // namespace course::emulator
