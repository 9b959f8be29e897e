// The types that matrices of cuBLAS have, and the one that each is computed in.
#pragma once

#include <cstdint>
#include <cstring>

namespace course::client::blas {

// bfloat16: the upper half of a float. GCC 12 has no type for it.
struct Bf16 {
  std::uint16_t bits = 0;

  Bf16() = default;
  explicit Bf16(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    const bool nan = (word & 0x7fffffff) > 0x7f800000;
    // To the nearest, and to the even one of two; a NaN stays one.
    bits = nan ? static_cast<std::uint16_t>(word >> 16 | 0x40)
               : static_cast<std::uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  explicit operator float() const {
    const std::uint32_t word = std::uint32_t{bits} << 16;
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

using Half = _Float16;

} // namespace course::client::blas
