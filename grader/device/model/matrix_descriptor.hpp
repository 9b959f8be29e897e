// Matrix descriptors: where wgmma finds an operand in shared memory.
//
// Rules, measured on an H200 by exact products of every layout (data/README.md): bits 0 to 13 are
// the address / 16, 16 to 29 the leading and 32 to 45 the stride byte offset / 16, 49 to 51 the
// base offset, 62 and 63 the layout. An operand is a matrix of lines along M or N and of 32 bytes
// along K (K-major: 16 bytes hold neighbours along K), or the other way round (MN-major). The
// swizzle is that of a tensor map, on absolute addresses; a base offset begins its pattern
// elsewhere.
#pragma once

#include "device/model/tensor_map.hpp"

#include <cstdint>

namespace course::model {

inline constexpr std::uint32_t kProductDepth = 32; // bytes along K of one wgmma
inline constexpr std::uint32_t kProductChunk = 16; // bytes that lie together in every layout

enum class Major : std::uint8_t { k, mn };

struct MatrixDescriptor {
  std::uint32_t start = 0;       // an address in shared memory, in bytes, as are
  std::uint32_t leading = 0;     // the leading
  std::uint32_t stride = 0;      // and the stride byte offset
  std::uint32_t base_offset = 0; // in lines of 128 bytes, 0 to 7
  Swizzle swizzle = Swizzle::none;
  bool operator==(const MatrixDescriptor&) const = default;

  std::uint32_t span() const; // bytes between lines: 16 without a swizzle, else 32, 64 or 128
};
MatrixDescriptor matrix_descriptor(std::uint64_t bits);

// Where a chunk of 16 bytes is. K-major: half `along` (0, 1) of line `across` of M or N. MN-major
// (elements of 16 bits): for `along`, the number along K, the eight elements `across` of M or N.
std::uint32_t chunk_at(const MatrixDescriptor&, Major, std::uint32_t across, std::uint32_t along);

// Whether 32 bytes along K, from the start, lie in one line of the swizzle: the hardware goes on in
// the next line's bytes where they do not.
bool fits_span(const MatrixDescriptor&, Major);

// Bytes that one wgmma reads in shared memory, and the wavefronts that these are: no layout has a
// conflict. `columns`: N. Of four warps the first is counted the whole of B, each a quarter of A.
std::uint32_t product_wavefronts(bool a_in_shared, std::uint32_t columns, std::uint32_t warp);

} // namespace course::model
