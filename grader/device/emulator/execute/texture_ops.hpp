// Textures and surfaces in kernels: fetches with filters and addressing, and where surface accesses
// point.
//
// Rules: CUDA C++ Programming Guide, "Texture Fetching". A filter's weights have 8 bits behind the
// point; what a GPU does below that is not documented, and here it is exact and rounded once.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <cstdint>

namespace course::emulator {

enum class Geometry : std::uint8_t { one, two, three, layers_of_one, layers_of_two };

// How a fetch is packed in `immediate`.
struct Fetch {
  Geometry geometry{};
  bool by_index = false;    // integer coordinates: tex1Dfetch
  bool gathers = false;     // tld4
  std::uint8_t channel = 0; // that it gathers

  std::uint32_t packed() const {
    return static_cast<std::uint32_t>(geometry) | (by_index ? 8u : 0u) | (gathers ? 16u : 0u) |
           std::uint32_t{channel} << 5;
  }
};

// Slots: four results of 32 bits, one behind the other; the object, 64 bits; up to four coordinates
// of 32 bits, one behind the other.
void fetch_texture(Warp&, const Operation&, std::uint32_t mask);

// What a surface access does beyond the array.
enum class Outside : std::uint8_t { trap, clamp, zero };
// Slots: the address, 64 bits; the object; the coordinates; a predicate, set for lanes that have
// something to access. `immediate`: geometry, outside << 3, bytes of the access << 5.
void point_at_surface(Warp&, const Operation&, std::uint32_t mask);
// The 32 lanes of slot 0, of 1, 2, 4 or 8 bytes (`immediate`), are 0.
void clear_lanes(Warp&, const Operation&, std::uint32_t mask);

} // namespace course::emulator
