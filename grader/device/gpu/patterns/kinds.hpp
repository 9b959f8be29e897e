// The kinds of access that can be measured, each one PTX instruction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::gpu::patterns {

struct Kind {
  std::string name; // "atom_shared_add_u64"
  // The instruction without guard and semicolon. Registers: %a the lane's address in shared memory,
  // %g in global memory; %v0 to %v3 (32 bits) and %w0, %w1 (64) values that differ by lane; %k0
  // and %l0 zero; of W = 4, 8 and 16 bytes %kW W, %oddW W in odd lanes and zero in even ones, and
  // %anyW zero, half of W and W in turn; results in %x0 to %x3 (32 bits) or %y0, %y1 (64).
  std::string instruction;
  std::uint32_t alignment = 4; // of offsets, and the bytes a lane touches; in bytes
  std::uint32_t results_32 = 0, results_64 = 0; // how many of %x, %y it writes
  bool copies = false;                          // has a global and a shared address
  bool all_lanes = false;                       // cannot be guarded
};

const std::vector<Kind>& kinds();
const Kind* find_kind(std::string_view name); // nullptr when there is none

} // namespace course::gpu::patterns
