// Random sources for lanes: half of them numbers at which mistakes happen.
#pragma once

#include "device/emulator/differential/exact.hpp"

#include <cstdint>
#include <random>

namespace course::emulator::differential {

class LaneData {
public:
  explicit LaneData(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  // Of a register: 64, 32 or 16 bits. Edges of integers and of every floating-point format that
  // fits, small integers (amounts of shifts, positions), and any bits at all.
  Bits source(int bits) {
    const Bits all = bits == 64 ? ~Bits{0} : (Bits{1} << bits) - 1;
    switch (below(8)) {
    case 0:
      return below(70) & all;
    case 1:
      return (Bits{0} - below(70)) & all;
    case 2: // a power of two, and its neighbours
      return ((Bits{1} << below(static_cast<Bits>(bits))) + below(3) - 1) & all;
    case 3:
    case 4:
    case 5:
      return floating(bits) & all;
    default:
      return random_() & all;
    }
  }

private:
  Bits floating(int bits) {
    const Format& format = bits == 64   ? kF64
                           : bits == 32 ? (below(8) ? kF32 : kF16)
                           : below(2)   ? kF16
                                        : kBf16;
    const Bits sign = below(2) ? format.sign() : 0;
    const Bits one = Bits(format.greatest) << (format.precision - 1);
    const Bits fraction = (Bits{1} << (format.precision - 1)) - 1;
    const Bits upper = bits == 32 && format.bits == 16 ? random_() << 16 : 0;
    return upper | sign | number(format, one, fraction);
  }
  Bits number(const Format& format, Bits one, Bits fraction) {
    switch (below(12)) {
    case 0:
      return 0;
    case 1:
      return 1 + below(3); // the smallest subnormals
    case 2:
      return fraction + below(3); // the largest subnormal, the smallest normal
    case 3:
      return random_() & fraction; // subnormal
    case 4:
      return format.infinity();
    case 5:
      return format.infinity() | (random_() & fraction); // nearly always a NaN
    case 6:
      return format.infinity() - 1 - below(2); // the largest
    case 7:
      return one;
    case 8: { // an integer and a half, where roundings differ
      const Bits exponent = below(static_cast<Bits>(format.precision));
      const Bits half =
          exponent < static_cast<Bits>(format.precision) - 1 ? (fraction + 1) >> (exponent + 1) : 0;
      return (one + (exponent << (format.precision - 1))) | (random_() & fraction & ~(half - 1)) |
             half;
    }
    default: // near 1, so that sums and products of two are in range
      return one + ((below(24) - 12) << (format.precision - 1)) + (random_() & fraction);
    }
  }

  std::mt19937_64 random_;
};

} // namespace course::emulator::differential
