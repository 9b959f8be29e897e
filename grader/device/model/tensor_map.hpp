// Tensor maps: how a bulk copy finds a box of a tensor in global memory, and where its chunks of 16
// bytes lie in shared memory.
//
// Rules, measured on an H200 (data/README.md): a row of the box begins every `span` bytes, which is
// 32, 64 or 128 with a swizzle, also where the box is narrower, and the row itself without; then
// bits 4 to 6 of the absolute address in shared memory are xored with one, two or three bits from
// 7 on. What is outside of the tensor is filled, and counts among the bytes that a barrier is told.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace course::model {

enum class Swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };
// Bytes of a line whose chunks change places; of a single chunk without a swizzle.
constexpr std::uint32_t swizzle_span(Swizzle swizzle) {
  return 16u << static_cast<unsigned>(swizzle);
}

// As tables and messages have them.
inline constexpr std::array<const char*, 4> kSwizzleNames{"none", "32B", "64B", "128B"};
constexpr const char* name_of(Swizzle swizzle) {
  return kSwizzleNames[static_cast<std::size_t>(swizzle)];
}
std::optional<Swizzle> swizzle_named(std::string_view);

inline constexpr std::size_t kMostDimensions = 5, kTensorMapBytes = 128;
inline constexpr std::uint32_t kTensorAlignment = 128; // of a box in shared memory, in bytes

struct TensorMap {
  std::uint64_t address = 0;
  std::uint8_t rank = 1;
  std::uint8_t element = 4; // bytes
  bool floating = true;
  // TFLOAT32, with FTZ or without: a load rounds to the nearest. A store changes nothing, nor does
  // FLOAT32_FTZ, either way; so it was on an H100.
  bool rounds_to_tf32 = false;
  bool fills_with_nan = false;
  Swizzle swizzle = Swizzle::none;
  std::uint8_t promotion = 0; // CUtensorMapL2promotion: how much L2 fetches; only times know
  // Dimension 0 is the innermost. Strides are bytes, that of dimension 0 the element's.
  std::array<std::uint64_t, kMostDimensions> size{}, stride{};
  std::array<std::uint32_t, kMostDimensions> box{};

  std::uint32_t row_bytes() const { return box[0] * element; } // of a box
  std::uint32_t rows() const;                                  // of a box
  std::uint32_t bytes() const { return row_bytes() * rows(); } // that a barrier is told
  std::uint32_t span() const;                                  // between rows in shared memory
  bool operator==(const TensorMap&) const = default;
};

// Whether the driver encodes it; and which of its rules is broken where it does not, empty where it
// does.
bool is_accepted(const TensorMap&);
std::string broken_rule(const TensorMap&);

// As the 128 bytes that a kernel is given, in an encoding of our own; nothing for others.
using TensorMapBytes = std::array<std::byte, kTensorMapBytes>;
TensorMapBytes encoded(const TensorMap&);
std::optional<TensorMap> decoded(const TensorMapBytes&);

// The bits of a float as a map that rounds to TF32 loads it: to the nearest, ties to even.
std::uint32_t rounded_to_tf32(std::uint32_t bits);

// Where a byte of a box is in shared memory: `linear` is its address without a swizzle.
// `base_offset`: in lines of 128 bytes, where the pattern begins (matrix_descriptor.hpp).
std::uint32_t swizzled(std::uint32_t linear, Swizzle, std::uint32_t base_offset = 0);

} // namespace course::model
