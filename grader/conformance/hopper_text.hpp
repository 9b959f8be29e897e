// PTX of the kernels of hopper.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace course::conformance {

inline constexpr std::uint32_t kWindowBytes = 16384; // of shared memory, zeros from the start

// Which block of its cluster block 0 asks: block 1, through the window itself, or each lane
// another.
enum class Asked { other, own, several };

// A request by lanes of block 0 to blocks of their cluster: (offsets, zeros, results).
struct RemoteText {
  std::string operation; // "ld", "st", "atom", "red", "st.async"
  int width = 4;         // bytes a lane
  std::uint32_t active = 0xffffffff;
  Asked asked = Asked::other;
};
std::string remote_text(const RemoteText&);

// A warp's read of a tile that a map brings: (map, offsets, results). `bytes`: of the box.
std::string tile_read_text(int width, std::uint32_t bytes);

// One product of a warpgroup: (zeros, results).
struct ProductText {
  std::string type; // "bf16", "tf32", "e4m3"
  int columns = 64;
  bool a_in_registers = false, a_is_mn = false, b_is_mn = false;
};
std::string product_text(const ProductText&);

} // namespace course::conformance
