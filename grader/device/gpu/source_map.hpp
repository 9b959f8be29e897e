// From an instruction's place in a cubin to what it does and to the line its author wrote.
//
// What instructions do is read by device/code/sass. Their lines come from CUPTI (in the worker)
// or the cubin; where code of a toolkit header was inlined, such as atomicAdd, both name that
// header, and the PTX of the same compilation says which of the author's lines it stands for.
#pragma once

#include "device/gpu/messages.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace course::gpu {

class SourceMap {
public:
  // Any bytes and any text will do: what cannot be read describes nothing.
  SourceMap(std::span<const std::byte> cubin, const std::string& ptx);

  // Fills in `access` and `ptx_line`, and `file` and `line` where more is known than they hold.
  //
  // Accesses: "shared_load_4", "global_store_16", "generic_load_4", "shared_atomic_4",
  // "shared_atomic_increment_4" (ATOMS.POPC.INC), "shared_atomic_cas_8", "shared_atomic_loop_4"
  // (ATOMS.CAST.SPIN), "global_atomic_4", "ldmatrix_x4", "stmatrix_x1", "cp_async_ca_16";
  // "barrier", "shuffle"; empty for the rest.
  void describe(InstructionCounts&) const;

private:
  struct Place {
    std::string access, file;
    std::uint32_t line = 0, ptx_line = 0;
  };
  std::map<std::pair<std::string, std::uint32_t>, Place> places_; // by function and pc
};

} // namespace course::gpu
