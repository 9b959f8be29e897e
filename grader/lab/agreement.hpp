// Whether two devices counted the same: what each source line amounted to, in one form for both.
//
// The devices name some accesses differently (the emulated one after PTX, the GPU after SASS), and
// may split a line's accesses by width; so rows are added up by line, memory and direction.
// Requests are left out: the hardware's include those without an active lane. Of an asynchronous
// copy both devices have the row that the GPU has.
//
// What no bank serves (other blocks' shared memory, copies of a tile, products of a warpgroup) has
// its requests by line. Sectors, lines and bytes of other blocks' memory a GPU counts for a launch
// alone: they are in a row of line 0. Of copies it has no sectors.
#pragma once

#include "device/device.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace course::lab {

struct LineTotal {
  std::string kernel;
  std::string file; // without folders
  std::uint32_t line = 0;
  model::Use use;
  std::uint64_t wavefronts = 0, ideal = 0, sectors = 0;
  enum class By : std::uint8_t { lanes, copies, products } by = By::lanes;
  std::uint64_t requests = 0, remote_lines = 0, bytes = 0; // beyond banks alone

  auto operator<=>(const LineTotal&) const = default;

  bool is_beyond_banks() const { return by != By::lanes || use.memory == model::Memory::remote; }
};

// "shared load", "bulk global load", "wgmma"; and the row's access of that name.
std::string access_of(const LineTotal&);
bool read_access(const std::string& name, LineTotal&);

// In order of kernel, file, line and use; without lines that cost nothing, and without constant
// and local memory, which are counted in other units.
std::vector<LineTotal> totals(const std::vector<device::LineCounts>&);

// Totals that are not in both, as sentences: "line 29, shared load: 62 wavefronts, measured 64".
std::vector<std::string> differences(const std::vector<LineTotal>& calculated,
                                     const std::vector<LineTotal>& measured);

} // namespace course::lab
