#include "device/emulator/execute/tiles.hpp"

#include "device/emulator/execute/halves.hpp"
#include "device/emulator/execute/lane_access.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace course::emulator {
namespace {

constexpr int kEight = 8, kFour = 4; // lanes across and along

int chunks(const Tile& tile) { // of a and b: pieces along that one register of four lanes holds
  return tile.along / (kFour * tile.per_register());
}
int halves(const Tile& tile) { // rows of a tile of 16, in eights
  return std::min(2, tile.across / kEight);
}

struct Shape {
  int m = 0, n = 0, k = 0;
};
std::optional<Shape> shape_named(const std::string& name) {
  Shape shape;
  int used = 0;
  const bool read =
      std::sscanf(name.c_str(), "m%dn%dk%d%n", &shape.m, &shape.n, &shape.k, &used) == 3;
  if (!read || static_cast<std::size_t>(used) != name.size()) return std::nullopt;
  return shape;
}

Tile tile_in(Tile::Part part, const Shape& shape, Number number) {
  if (part == Tile::Part::a) return {part, number, shape.m, shape.k};
  if (part == Tile::Part::b) return {part, number, shape.n, shape.k};
  return {part, number, shape.m, shape.n};
}

// The shapes of products of numbers like this (PTX ISA, mma and wmma.mma, sm_90).
std::vector<std::string> shapes_of(const std::string& opcode, Number number) {
  const bool wmma = opcode == "wmma";
  switch (number) {
  case Number::f16:
  case Number::bf16:
    if (wmma) return {"m16n16k16", "m32n8k16", "m8n32k16"};
    return {"m16n8k8", "m16n8k16"};
  case Number::tf32:
    if (wmma) return {"m16n16k8"};
    return {"m16n8k4", "m16n8k8"};
  case Number::f64:
    if (wmma) return {"m8n8k4"};
    return {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"};
  case Number::int8:
  case Number::uint8:
    if (wmma) return {"m16n16k16", "m32n8k16", "m8n32k16"};
    return {"m8n8k16", "m16n8k16", "m16n8k32"};
  case Number::int4:
  case Number::uint4:
    if (wmma) return {"m8n8k32"};
    return {"m8n8k32", "m16n8k32", "m16n8k64"};
  case Number::b1:
    if (wmma) return {"m8n8k128"};
    return {"m8n8k128", "m16n8k128", "m16n8k256"};
  case Number::e4m3:
  case Number::e5m2:
    if (wmma) return {};
    return {"m16n8k32"};
  default:
    return {};
  }
}

enum class Family { half, bfloat, tf32, f64, bytes, nibbles, bits, fp8, none };
Family family(Number number) {
  switch (number) {
  case Number::f16:
    return Family::half;
  case Number::bf16:
    return Family::bfloat;
  case Number::tf32:
    return Family::tf32;
  case Number::f64:
    return Family::f64;
  case Number::int8:
  case Number::uint8:
    return Family::bytes;
  case Number::int4:
  case Number::uint4:
    return Family::nibbles;
  case Number::b1:
    return Family::bits;
  case Number::e4m3:
  case Number::e5m2:
    return Family::fp8;
  default:
    return Family::none;
  }
}

bool accumulates(Family of, Number number) {
  switch (of) {
  case Family::half:
  case Family::fp8:
    return number == Number::f16 || number == Number::f32;
  case Family::bfloat:
  case Family::tf32:
    return number == Number::f32;
  case Family::f64:
    return number == Number::f64;
  case Family::none:
    return false;
  default:
    return number == Number::int32;
  }
}

// ---- numbers in registers

double of_e4m3(u32 bits) {
  const int exponent = static_cast<int>(bits >> 3 & 15), mantissa = static_cast<int>(bits & 7);
  if (exponent == 15 && mantissa == 7) return std::nan("");
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(mantissa | 8, exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

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

template <typename T>
void put(Warp& warp, const Operation& op, u32 mask) {
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  const T* from = lanes_at<const T>(warp.frame, op.slot[1]);
  const u32 shift = op.immediate * 8 * sizeof(T);
  const u32 others = op.immediate == 0 ? 0 : ~(u32{static_cast<T>(~T{0})} << shift);
  for (int i = 0; i < kLanes; ++i)
    if (mask & kLaneBit[i]) to[i] = (to[i] & others) | u32{from[i]} << shift;
}
template <typename T>
void take(Warp& warp, const Operation& op, u32 mask) {
  const u32* from = lanes_at<const u32>(warp.frame, op.slot[1]);
  T* to = lanes_at<T>(warp.frame, op.slot[0]);
  const u32 shift = op.immediate * 8 * sizeof(T);
  for (int i = 0; i < kLanes; ++i)
    if (mask & kLaneBit[i]) to[i] = static_cast<T>(from[i] >> shift);
}

// Of packed_place: bits of a number that says where an element is.
constexpr u32 kAlongShift = 6, kStepShift = 15, kSizeShift = 18, kMajorShift = 21;

} // namespace

std::optional<Number> number_named(const std::string& name) {
  using N = Number;
  static const std::map<std::string, N> all = {
      {"f16", N::f16},   {"bf16", N::bf16}, {"tf32", N::tf32}, {"f64", N::f64}, {"f32", N::f32},
      {"s32", N::int32}, {"s8", N::int8},   {"u8", N::uint8},  {"s4", N::int4}, {"u4", N::uint4},
      {"b1", N::b1},     {"e4m3", N::e4m3}, {"e5m2", N::e5m2}};
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  return found->second;
}

int bits_of(Number number) {
  switch (number) {
  case Number::f64:
    return 64;
  case Number::tf32:
  case Number::f32:
  case Number::int32:
    return 32;
  case Number::f16:
  case Number::bf16:
    return 16;
  case Number::int4:
  case Number::uint4:
    return 4;
  case Number::b1:
    return 1;
  default:
    return 8;
  }
}

int Tile::registers() const {
  const int numbers = across * along / kLanes; // of a lane
  return numbers / per_register();
}

Place place_of(const Tile& tile, int reg, int i) {
  const int each = tile.per_register();
  if (tile.part == Tile::Part::c) { // two numbers of a row in each lane, by eights
    const int number = reg * each + i, which = number % 2, group = number / 2;
    const int half = group % halves(tile), rest = group / halves(tile);
    const int eights = tile.along / kEight;
    return {rest / eights * 16 + half * kEight, rest % eights * kEight + which, 2};
  }
  if (tile.part == Tile::Part::b)
    return {reg / chunks(tile) * kEight, reg % chunks(tile) * kFour * each + i, each};
  const int half = reg % halves(tile), rest = reg / halves(tile);
  return {rest / chunks(tile) * 16 + half * kEight, rest % chunks(tile) * kFour * each + i, each};
}

std::optional<Product> product_of(const std::string& opcode,
                                  const std::vector<std::string>& modifiers) {
  Product product;
  std::vector<Number> types;
  std::vector<std::string> layouts;
  std::string shape;
  bool synchronous = false, aligned = false, counts = false, rounds = false;
  for (const std::string& each : modifiers) {
    if (each == "sync")
      synchronous = true;
    else if (each == "aligned")
      aligned = true;
    else if (each == "row" || each == "col")
      layouts.push_back(each);
    else if (each == "satfinite")
      product.saturates = true;
    else if (each == "popc")
      counts = true;
    else if (each == "xor")
      product.operation = Product::Operation::exclusive_or;
    else if (each == "and")
      product.operation = Product::Operation::logical_and;
    else if (each == "rn")
      rounds = true;
    else if (const auto number = number_named(each))
      types.push_back(*number);
    else if (shape_named(each) && shape.empty())
      shape = each;
    else if (!(each == "mma" && &each == &modifiers.front()))
      return std::nullopt;
  }
  if (types.size() == 2 && opcode == "wmma") types = {types[0], Number::f16, Number::f16, types[1]};
  if (!synchronous || !aligned || types.size() != 4 || layouts.size() != 2) return std::nullopt;
  if (opcode == "mma" && layouts != std::vector<std::string>{"row", "col"}) return std::nullopt;
  const auto parsed = shape_named(shape);
  const Family of = family(types[1]);
  const bool is_bits = of == Family::bits;
  const bool is_integer = of == Family::bytes || of == Family::nibbles;
  const auto shapes = shapes_of(opcode, types[1]);
  if (!parsed || family(types[2]) != of || !accumulates(of, types[0]) ||
      !accumulates(of, types[3]) || std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
    return std::nullopt;
  if (is_bits != counts || (product.operation != Product::Operation::multiply) != is_bits ||
      (product.saturates && !is_integer) || (rounds && of != Family::f64))
    return std::nullopt;
  if (opcode == "mma" && of == Family::half && types[0] != types[3]) return std::nullopt;
  product.a = tile_in(Tile::Part::a, *parsed, types[1]);
  product.b = tile_in(Tile::Part::b, *parsed, types[2]);
  product.c = tile_in(Tile::Part::c, *parsed, types[3]);
  product.d = tile_in(Tile::Part::c, *parsed, types[0]);
  return product;
}

std::optional<Tile> tile_of(const std::string& part, const std::string& shape,
                            const std::string& type) {
  const auto parsed = shape_named(shape);
  const auto number = number_named(type);
  if (!parsed || !number) return std::nullopt;
  const bool has_part = part == "a" || part == "b" || part == "c" || part == "d";
  if (!has_part) return std::nullopt;
  const bool factor = part == "a" || part == "b";
  for (const Number of : {Number::f16, Number::bf16, Number::tf32, Number::f64, Number::int8,
                          Number::int4, Number::b1}) {
    const auto shapes = shapes_of("wmma", of);
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) continue;
    if (factor ? family(*number) == family(of) : accumulates(family(of), *number))
      return tile_in(part == "a"   ? Tile::Part::a
                     : part == "b" ? Tile::Part::b
                                   : Tile::Part::c,
                     *parsed, *number);
  }
  return std::nullopt;
}

std::uint32_t keep(const Product& product) {
  const std::lock_guard lock(kept().mutex);
  kept().products.push_back(product);
  return static_cast<std::uint32_t>(kept().products.size() - 1);
}

void need_whole_warp(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask == kAllLanes) return;
  warp.block->report(device::FindingKind::shuffle, op.immediate, kNone, warp,
                     static_cast<u32>(std::countr_zero(mask)), [&] {
                       return "a matrix instruction needs all 32 lanes of the warp, and only "
                              "lanes " +
                              lanes_text(mask) + " are here";
                     });
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

std::uint32_t packed_place(const Place& place, const Tile& tile, bool across_is_major) {
  return static_cast<u32>(place.across) | static_cast<u32>(place.along) << kAlongShift |
         static_cast<u32>(std::countr_zero(static_cast<u32>(place.step))) << kStepShift |
         static_cast<u32>(std::countr_zero(static_cast<u32>(bits_of(tile.number)))) << kSizeShift |
         (across_is_major ? 1u : 0u) << kMajorShift;
}

void point_at_tile(Warp& warp, const Operation& op, std::uint32_t mask) {
  const u32 packed = op.immediate;
  const u32 across = packed & 63, along = packed >> kAlongShift & 511;
  const u32 step = packed >> kStepShift & 7, size = packed >> kSizeShift & 7;
  const bool across_is_major = packed >> kMajorShift & 1;
  const u64* base = lanes_at<const u64>(warp.frame, op.slot[1]);
  const u32* stride = lanes_at<const u32>(warp.frame, op.slot[2]);
  u64* to = lanes_at<u64>(warp.frame, op.slot[0]);
  for (u32 lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const u64 x = across + lane / kFour, y = along + (u64{lane % kFour} << step);
    const u64 element = across_is_major ? x * stride[lane] + y : y * stride[lane] + x;
    to[lane] = base[lane] + ((element << size) >> 3);
  }
}

Execute put_part(int bytes) {
  return bytes == 1 ? put<u8> : put<u16>;
}
Execute take_part(int bytes) {
  return bytes == 1 ? take<u8> : take<u16>;
}

} // namespace course::emulator
