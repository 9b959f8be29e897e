// What a texture or a surface object stands for: elements in device memory, and how they are read.
#pragma once

#include "device/device.hpp"

#include <array>
#include <cstdint>

namespace course::device {

struct Texture {
  // Where elements lie: rows of `width`, slices of `height` rows. Bytes.
  Address address = 0;
  std::uint64_t pitch = 0, slice = 0;
  std::uint32_t width = 0, height = 0, depth = 0; // elements; 0: it has no such dimension
  bool layered = false;                           // its last dimension counts layers
  bool surface = false;
  bool is_memory = false; // cudaResourceTypeLinear: read by index, and 0 beyond its end

  enum class Format : std::uint8_t { signed_integer, unsigned_integer, floating };
  Format format{};
  std::uint8_t channels = 1, bits = 32; // bits of a channel: 8, 16 or 32

  enum class Beyond : std::uint8_t { wrap, clamp, mirror, border }; // as cudaTextureAddressMode
  std::array<Beyond, 3> beyond{Beyond::clamp, Beyond::clamp, Beyond::clamp};
  bool linear = false;       // filtered between elements
  bool as_fractions = false; // integers as numbers of 0 to 1, or -1 to 1
  bool normalised = false;   // coordinates of 0 to 1
  std::array<float, 4> border{};

  std::uint32_t element() const { return channels * std::uint32_t{bits} / 8; } // bytes
};

} // namespace course::device
