// One access pattern: what a warp's 32 lanes do in one instruction, and what was measured.
//
// Files of them are CSV with a header line. Columns may stand in any order: access, active_mask,
// lane0 … lane31 (byte offsets in shared memory; in global memory for the global kinds), and for
// cp_async also global0 … global31. Other columns are read over; lines that start with # too.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu::patterns {

inline constexpr std::uint32_t kWindowBytes = 32768; // offsets and their widths stay below

struct Pattern {
  std::string access; // the name of a kind (kinds.hpp)
  std::uint32_t active = 0xffffffff;
  std::array<std::uint32_t, 32> lane{};
  std::array<std::uint32_t, 32> global{};
};

struct Measured {
  std::uint64_t wavefronts = 0, ideal = 0, sectors = 0;
  std::string steps; // SASS accesses, executions and wavefronts: "shared_load_8:3:12 …"
};

// All patterns of a file, checked against kinds.hpp; or one sentence with line and column.
std::variant<std::vector<Pattern>, std::string> read_patterns(std::istream&);

// `measured` has one element a pattern, or none. Columns that no pattern uses are left out.
void write_patterns(std::ostream&, const std::vector<Pattern>&,
                    const std::vector<Measured>& measured);

} // namespace course::gpu::patterns
