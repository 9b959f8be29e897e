// The products of tiles: numbers out of the registers of a warp, their sums, and back.
#include "device/emulator/check/products.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/tiles.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/matrix_numbers.hpp"
#include "device/emulator/execute/unit_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <mutex>

namespace course::emulator {
namespace {

constexpr int kFour = 4; // lanes along

// f(bits to a double, which each of these is but for f64 itself)
template <typename F>
void with_floating(Number number, F f) {
  switch (number) {
  case Number::f16:
    return f([](u32 bits) { return of_half(bits); });
  case Number::bf16:
    return f([](u32 bits) { return of_bfloat(bits); });
  case Number::tf32:
    return f([](u32 bits) { return of_tf32(bits); });
  case Number::f32:
    return f([](u32 bits) { return double{std::bit_cast<float>(bits)}; });
  case Number::e4m3:
    return f([&all = numbers_of_e4m3()](u32 bits) { return all[bits]; });
  case Number::e5m2:
    return f([](u32 bits) { return of_half(bits << 8); });
  default:
    return f([](u64 bits) { return std::bit_cast<double>(bits); });
  }
}
template <typename F>
void with_integer(Number number, F f) {
  switch (number) {
  case Number::int8:
    return f([](u32 bits) { return s32{static_cast<s8>(bits)}; });
  case Number::int4:
    return f([](u32 bits) { return static_cast<s32>(bits & 7) - static_cast<s32>(bits & 8); });
  default:
    return f([](u32 bits) { return static_cast<s32>(bits); });
  }
}

// A tile, and where lane 0 has its numbers, register by register.
struct Placed {
  explicit Placed(const Tile& of) : tile(of), bits(bits_of(of.number)), each(of.per_register()) {
    for (int reg = 0; reg < of.registers(); ++reg)
      for (int i = 0; i < each; ++i) numbers.push_back(place_of(of, reg, i));
  }
  Tile tile;
  int bits, each; // of a number, and numbers of a register
  std::vector<Place> numbers;
};

// put(across, along, lane) for the numbers of all lanes that are at one place of lane 0.
template <typename Put>
[[gnu::always_inline]] inline void for_lanes(const Place& first, Put put) {
  for (int across = 0; across < kLanes / kFour; ++across)
    for (int along = 0; along < kFour; ++along)
      put(first.across + across, first.along + along * first.step, across * kFour + along);
}

template <typename T>
struct Into { // a matrix: its first number, and how far from one to the next
  T* first;
  int across, along;
};

// The numbers of a tile that lies in registers from a slot on, into a matrix.
template <typename T>
void read_tile(const Warp& warp, Slot slot, const Placed& placed, Into<T> into) {
  const auto read = [&](auto word, auto number_of) {
    using Word = decltype(word);
    const Word keep = static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - placed.bits);
    const Word* registers = lanes_at<const Word>(warp.frame, slot);
    for (int n = 0; n < static_cast<int>(placed.numbers.size()); ++n) {
      const Word* lane = registers + n / placed.each * kLanes;
      const int shift = n % placed.each * placed.bits;
      T number[kLanes];
      for (int i = 0; i < kLanes; ++i) number[i] = number_of(lane[i] >> shift & keep);
      for_lanes(placed.numbers[n], [&](int across, int along, int i) {
        into.first[across * into.across + along * into.along] = number[i];
      });
    }
  };
  if constexpr (std::is_same_v<T, double>) {
    if (placed.bits == 64)
      read(u64{}, [](u64 bits) { return std::bit_cast<double>(bits); });
    else
      with_floating(placed.tile.number, [&](auto number_of) { read(u32{}, number_of); });
  } else {
    with_integer(placed.tile.number, [&](auto number_of) { read(u32{}, number_of); });
  }
}

// Writes a tile of accumulators: get(across, along) is a number, and bits_of_number makes it bits.
template <typename Word, typename Get, typename Bits>
void write_tile(Warp& warp, Slot slot, const Placed& placed, u32 mask, Get get,
                Bits bits_of_number) {
  Word* registers = lanes_at<Word>(warp.frame, slot);
  for (int n = 0; n < static_cast<int>(placed.numbers.size()); n += placed.each) {
    Word whole[kLanes] = {};
    for (int i = 0; i < placed.each; ++i) {
      decltype(get(0, 0)) number[kLanes];
      for_lanes(placed.numbers[n + i], [&](int x, int y, int lane) { number[lane] = get(x, y); });
      for (int lane = 0; lane < kLanes; ++lane)
        whole[lane] |= static_cast<Word>(bits_of_number(number[lane])) << (i * placed.bits);
    }
    Word* to = registers + n / placed.each * kLanes;
    for (int lane = 0; lane < kLanes; ++lane)
      to[lane] = mask & kLaneBit[lane] ? whole[lane] : to[lane];
  }
}

struct Kept {
  explicit Kept(const Product& of) : product(of), a(of.a), b(of.b), c(of.c), d(of.d) {}
  Product product;
  Placed a, b, c, d;
};

constexpr int kMostAcross = 32;

template <typename T, int kMostAlong>
struct alignas(64) Matrices {
  T a[kMostAcross][kMostAlong], b[kMostAlong][kMostAcross], c[kMostAcross][kMostAcross];

  void read_factors(Warp& warp, const Operation& op, const Kept& kept) {
    read_tile<T>(warp, op.slot[1], kept.a, {a[0], kMostAlong, 1});
    read_tile<T>(warp, op.slot[2], kept.b, {b[0], 1, kMostAcross});
  }
  MatrixSums<T> sums(const Product& product) {
    const auto rows = static_cast<u32>(product.a.across),
               columns = static_cast<u32>(product.b.across),
               depth = static_cast<u32>(product.a.along);
    return {a[0], b[0], c[0], kMostAlong, kMostAcross, kMostAcross, rows, columns, depth};
  }
};

void multiply_floats(Warp& warp, const Operation& op, const Kept& kept, u32 mask) {
  static thread_local Matrices<double, 64> numbers;
  const auto& a = numbers.a;
  const auto& b = numbers.b;
  auto& c = numbers.c;
  numbers.read_factors(warp, op, kept);
  read_tile<double>(warp, op.slot[3], kept.c, {c[0], kMostAcross, 1});
  const Product& product = kept.product;
  const auto sum = [&](int row, int column) { return c[row][column]; };
  if (product.a.number == Number::f64) { // whose products are not exact
    for (int row = 0; row < product.a.across; ++row)
      for (int column = 0; column < product.b.across; ++column)
        for (int k = 0; k < product.a.along; ++k)
          c[row][column] = std::fma(a[row][k], b[k][column], c[row][column]);
    return write_tile<u64>(warp, op.slot[0], kept.d, mask, sum,
                           [](double number) { return std::bit_cast<u64>(number); });
  }
  const Number a_number = product.a.number, to = product.d.number;
  if (bits_of(a_number) == 8)
    add_bytes_in_unit(to, numbers.sums(product));
  else
    add_in_unit(unit_format(a_number, product.b.number, to), numbers.sums(product));
  if (to == Number::f16)
    write_tile<u32>(warp, op.slot[0], kept.d, mask, sum, half_of);
  else
    write_tile<u32>(warp, op.slot[0], kept.d, mask, sum, float_of_sum);
}

// Of whole numbers, and of bits, which are the smallest of them: a xor b is a + b - 2 a b.
void multiply_integers(Warp& warp, const Operation& op, const Kept& kept, u32 mask) {
  static thread_local Matrices<s32, 256> numbers;
  const auto& a = numbers.a;
  const auto& b = numbers.b;
  auto& c = numbers.c;
  numbers.read_factors(warp, op, kept);
  std::memset(c, 0, sizeof c);
  const Product& product = kept.product;
  numbers.sums(product)();
  if (product.operation == Product::Operation::exclusive_or) {
    for (int row = 0; row < product.a.across; ++row)
      for (int column = 0; column < product.b.across; ++column) {
        s32 ones = 0;
        for (int k = 0; k < product.a.along; ++k) ones += a[row][k] + b[k][column];
        c[row][column] = ones - 2 * c[row][column];
      }
  }
  static thread_local s32 before[kMostAcross][kMostAcross];
  read_tile<s32>(warp, op.slot[3], kept.c, {before[0], kMostAcross, 1});
  constexpr s64 kLeast = std::numeric_limits<s32>::min(), kMost = std::numeric_limits<s32>::max();
  write_tile<u32>(
      warp, op.slot[0], kept.d, mask,
      [&](int row, int column) { return s64{before[row][column]} + c[row][column]; },
      [&](s64 sum) {
        return static_cast<u32>(product.saturates ? std::clamp(sum, kLeast, kMost) : sum);
      });
}

// ---- products that were decoded

struct All {
  std::mutex mutex;
  std::deque<Kept> products;
};
All& all_kept() {
  static All all;
  return all;
}

// Products stay where they are once they are kept, so a thread may remember the last one.
const Kept& kept_as(u32 number) {
  static thread_local std::pair<u32, const Kept*> last{0, nullptr};
  if (last.second && last.first == number) return *last.second;
  const std::lock_guard lock(all_kept().mutex);
  last = {number, &all_kept().products[number]};
  return *last.second;
}

template <typename T>
void put(Warp& warp, const Operation& op, u32 mask) {
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  const T* from = lanes_at<const T>(warp.frame, op.slot[1]);
  const u32 shift = op.immediate * 8 * sizeof(T);
  const u32 others = op.immediate == 0 ? 0 : ~(u32{static_cast<T>(~T{0})} << shift);
  for (int i = 0; i < kLanes; ++i) {
    const u32 value = (to[i] & others) | u32{from[i]} << shift;
    to[i] = mask & kLaneBit[i] ? value : to[i];
  }
}
template <typename T>
void take(Warp& warp, const Operation& op, u32 mask) {
  const u32* from = lanes_at<const u32>(warp.frame, op.slot[1]);
  T* to = lanes_at<T>(warp.frame, op.slot[0]);
  const u32 shift = op.immediate * 8 * sizeof(T);
  for (int i = 0; i < kLanes; ++i) {
    const T value = static_cast<T>(from[i] >> shift);
    to[i] = mask & kLaneBit[i] ? value : to[i];
  }
}

} // namespace

std::uint32_t keep(const Product& product) {
  const std::lock_guard lock(all_kept().mutex);
  all_kept().products.emplace_back(product);
  return static_cast<std::uint32_t>(all_kept().products.size() - 1);
}

void need_whole_warp(Warp& warp, const Operation& op, std::uint32_t mask) {
  check_whole_warp(warp, op.immediate, mask);
}

void multiply_tiles(Warp& warp, const Operation& op, std::uint32_t mask) {
  need_whole_warp(warp, op, mask);
  const Kept& kept = kept_as(op.slot[4]);
  if (kept.product.d.number == Number::int32)
    multiply_integers(warp, op, kept, mask);
  else
    multiply_floats(warp, op, kept, mask);
}

void point_at_tile(Warp& warp, const Operation& op, std::uint32_t mask) {
  const u32 packed = op.immediate;
  const u32 across = packed & 63, along = packed >> kAlongShift & 511;
  const u32 step = packed >> kStepShift & 7, size = packed >> kSizeShift & 7;
  const bool across_is_major = packed >> kMajorShift & 1;
  const u64* base = lanes_at<const u64>(warp.frame, op.slot[1]);
  const u32* stride = lanes_at<const u32>(warp.frame, op.slot[2]);
  u64* to = lanes_at<u64>(warp.frame, op.slot[0]);
  u32 x[kLanes], y[kLanes];
  for (u32 lane = 0; lane < kLanes; ++lane) {
    x[lane] = across + lane / kFour;
    y[lane] = along + (lane % kFour << step);
  }
  const u32 *by = across_is_major ? x : y, *and_then = across_is_major ? y : x;
  for (u32 lane = 0; lane < kLanes; ++lane) {
    const u64 element = u64{by[lane]} * stride[lane] + and_then[lane];
    const u64 address = base[lane] + ((element << size) >> 3);
    to[lane] = mask & kLaneBit[lane] ? address : to[lane];
  }
}

Execute put_part(int bytes) {
  return bytes == 1 ? put<u8> : put<u16>;
}
Execute take_part(int bytes) {
  return bytes == 1 ? take<u8> : take<u16>;
}

} // namespace course::emulator
