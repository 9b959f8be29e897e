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

  // Fills in `does`, `kind` and `ptx_line`, and `file` and `line` where more is known than they
  // hold.
  void describe(InstructionCounts&) const;

private:
  struct Place {
    InstructionCounts::Does does{};
    model::RequestType kind;
    std::string file;
    std::uint32_t line = 0, ptx_line = 0;

    // What CUPTI says of its line is wrong, even where none is known.
    bool is_product() const { return kind.access == model::RequestKind::wgmma; }
  };
  std::map<std::pair<std::string, std::uint32_t>, Place> places_; // by function and pc
};

} // namespace course::gpu
