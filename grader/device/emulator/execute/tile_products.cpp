// The products of tiles: numbers out of the registers of a warp, their sums, and back.
#include "device/emulator/execute/halves.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <mutex>

namespace course::emulator {
namespace {

constexpr int kFour = 4; // lanes along

// As a double, which each of these is but for f64 itself.
double floating(Number number, u64 bits) {
  switch (number) {
  case Number::f16:
    return F16::value(static_cast<u16>(bits));
  case Number::bf16:
    return Bf16::value(static_cast<u16>(bits));
  case Number::tf32:
    return double{std::bit_cast<float>(static_cast<u32>(bits) & ~0x1fffu)};
  case Number::f32:
    return double{std::bit_cast<float>(static_cast<u32>(bits))};
  case Number::e4m3:
    return of_e4m3(static_cast<u32>(bits));
  case Number::e5m2:
    return F16::value(static_cast<u16>(bits << 8));
  default:
    return std::bit_cast<double>(bits);
  }
}

s64 integer(Number number, u64 bits) {
  switch (number) {
  case Number::int8:
    return static_cast<std::int8_t>(bits);
  case Number::int4:
    return static_cast<s64>(bits & 7) - static_cast<s64>(bits & 8);
  case Number::int32:
    return static_cast<s32>(bits);
  default:
    return static_cast<s64>(bits);
  }
}

// Calls f(across, along, bits) for each number of a tile that lies in registers from a slot on.
template <typename F>
void for_numbers(const Warp& warp, Slot slot, const Tile& tile, F f) {
  const int bits = bits_of(tile.number), each = tile.per_register();
  const u64 keep = bits == 64 ? ~0ull : (1ull << bits) - 1;
  for (int reg = 0; reg < tile.registers(); ++reg) {
    for (int i = 0; i < each; ++i) {
      const Place first = place_of(tile, reg, i);
      for (int lane = 0; lane < kLanes; ++lane) {
        const u64 whole =
            tile.register_bytes() == 8
                ? lanes_at<const u64>(warp.frame, slot)[reg * kLanes + lane]
                : u64{lanes_at<const u32>(warp.frame, slot)[reg * kLanes + lane]} >> (i * bits);
        f(first.across + lane / kFour, first.along + lane % kFour * first.step, whole & keep);
      }
    }
  }
}

// Writes a tile of accumulators: value(across, along) gives the bits of each.
template <typename Value>
void write_tile(Warp& warp, Slot slot, const Tile& tile, u32 mask, Value value) {
  const int bits = bits_of(tile.number), each = tile.per_register();
  for (int reg = 0; reg < tile.registers(); ++reg) {
    for (u32 left = mask; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      u64 whole = 0;
      for (int i = 0; i < each; ++i) {
        const Place first = place_of(tile, reg, i);
        const u64 number =
            value(first.across + lane / kFour, first.along + lane % kFour * first.step);
        whole |= number << (i * bits);
      }
      if (tile.register_bytes() == 8)
        lanes_at<u64>(warp.frame, slot)[reg * kLanes + lane] = whole;
      else
        lanes_at<u32>(warp.frame, slot)[reg * kLanes + lane] = static_cast<u32>(whole);
    }
  }
}

constexpr int kMostAcross = 32, kMostAlong = 64;

u64 rounded_to(Number number, double sum) {
  if (number == Number::f64) return std::bit_cast<u64>(sum);
  if (number == Number::f16) return F16::rounded(sum);
  return std::bit_cast<u32>(static_cast<float>(sum));
}

void multiply_floats(Warp& warp, const Operation& op, const Product& product, u32 mask) {
  static thread_local double a[kMostAcross][kMostAlong], b[kMostAcross][kMostAlong],
      c[kMostAcross][kMostAcross];
  const auto read = [&](Slot slot, const Tile& tile, auto& to) {
    for_numbers(warp, slot, tile,
                [&](int x, int y, u64 bits) { to[x][y] = floating(tile.number, bits); });
  };
  read(op.slot[1], product.a, a);
  read(op.slot[2], product.b, b);
  read(op.slot[3], product.c, c);
  const bool wide = product.a.number == Number::f64;
  write_tile(warp, op.slot[0], product.d, mask, [&](int row, int column) {
    double sum = c[row][column];
    for (int k = 0; k < product.a.along; ++k)
      sum = wide ? std::fma(a[row][k], b[column][k], sum) : sum + a[row][k] * b[column][k];
    return rounded_to(product.d.number, sum);
  });
}

void multiply_integers(Warp& warp, const Operation& op, const Product& product, u32 mask) {
  static thread_local s64 a[kMostAcross][kMostAlong], b[kMostAcross][kMostAlong],
      c[kMostAcross][kMostAcross];
  const auto read = [&](Slot slot, const Tile& tile, auto& to) {
    for_numbers(warp, slot, tile,
                [&](int x, int y, u64 bits) { to[x][y] = integer(tile.number, bits); });
  };
  read(op.slot[1], product.a, a);
  read(op.slot[2], product.b, b);
  read(op.slot[3], product.c, c);
  write_tile(warp, op.slot[0], product.d, mask, [&](int row, int column) {
    s64 sum = c[row][column];
    for (int k = 0; k < product.a.along; ++k) sum += a[row][k] * b[column][k];
    constexpr s64 kLeast = std::numeric_limits<s32>::min(), kMost = std::numeric_limits<s32>::max();
    if (product.saturates) sum = std::clamp(sum, kLeast, kMost);
    return u64{static_cast<u32>(sum)};
  });
}

void multiply_bits(Warp& warp, const Operation& op, const Product& product, u32 mask) {
  static thread_local std::array<std::uint8_t, 256> a[kMostAcross], b[kMostAcross];
  static thread_local s64 c[kMostAcross][kMostAcross];
  const auto read = [&](Slot slot, const Tile& tile, auto& to) {
    for_numbers(warp, slot, tile, [&](int x, int y, u64 bits) {
      to[x][static_cast<std::size_t>(y)] = static_cast<std::uint8_t>(bits);
    });
  };
  read(op.slot[1], product.a, a);
  read(op.slot[2], product.b, b);
  for_numbers(warp, op.slot[3], product.c,
              [&](int x, int y, u64 bits) { c[x][y] = integer(Number::int32, bits); });
  const bool exclusive = product.operation == Product::Operation::exclusive_or;
  write_tile(warp, op.slot[0], product.d, mask, [&](int row, int column) {
    s64 sum = c[row][column];
    for (std::size_t k = 0; k < static_cast<std::size_t>(product.a.along); ++k)
      sum += exclusive ? a[row][k] ^ b[column][k] : a[row][k] & b[column][k];
    return u64{static_cast<u32>(sum)};
  });
}

// ---- products that were decoded

struct Kept {
  std::mutex mutex;
  std::deque<Product> products;
};
Kept& kept() {
  static Kept all;
  return all;
}

} // namespace

std::uint32_t keep(const Product& product) {
  const std::lock_guard lock(kept().mutex);
  kept().products.push_back(product);
  return static_cast<std::uint32_t>(kept().products.size() - 1);
}

void check_whole_warp(Warp& warp, std::uint32_t site, std::uint32_t mask) {
  if (mask == kAllLanes) return;
  warp.block->report(device::FindingKind::shuffle, site, kNone, warp, lowest(mask), [&] {
    return "a matrix instruction needs all 32 lanes of the warp, and only lanes " +
           lanes_text(mask) + " are here";
  });
}

void need_whole_warp(Warp& warp, const Operation& op, std::uint32_t mask) {
  check_whole_warp(warp, op.immediate, mask);
}

void multiply_tiles(Warp& warp, const Operation& op, std::uint32_t mask) {
  need_whole_warp(warp, op, mask);
  const Product* product = nullptr;
  {
    const std::lock_guard lock(kept().mutex);
    product = &kept().products[op.slot[4]]; // which stays where it is
  }
  if (product->operation != Product::Operation::multiply)
    multiply_bits(warp, op, *product, mask);
  else if (product->d.number == Number::int32)
    multiply_integers(warp, op, *product, mask);
  else
    multiply_floats(warp, op, *product, mask);
}

} // namespace course::emulator
