// Device code out of what nvcc made: the PTX and the cubins in a fat binary.
//
// A fat binary is a sequence of containers, one a translation unit; in a host library or program
// they fill the section .nv_fatbin, and a .fatbin file is one container. NVIDIA does not document
// the layout; it is as nvcc 13.0 writes it (all little-endian):
//
//   container  u32 0xBA55ED50, u16 1, u16 header size 16, u64 size of the entries that follow
//   entry      u16 kind (1 PTX, 2 ELF), u16, u32 header size, u64 size of the data that follows,
//              u32 its compressed size, u32, u16 minor, u16 major, u32 architecture (90),
//              u32 name offset, u32 name length, u64 flags, u64, u64 decompressed size
//   flags      0x8000 the data is compressed with zstd, 0x2000 with LZ4; 0x100000 it is for this
//              architecture alone (sm_90a)
//
// The bytes may come from a hostile source file: all sizes are checked.
#pragma once

#include "device/device.hpp"
#include "device/model/known_gpus.hpp"
#include "elf/elf_file.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace course::code {

struct BadFatbin : std::runtime_error {
  using std::runtime_error::runtime_error; // what does not fit, and where
};

struct FatbinEntry {
  enum class Kind : std::uint16_t { ptx = 1, elf = 2 };
  Kind kind{};
  std::uint32_t architecture = 0; // 90 for sm_90 and compute_90
  device::Bytes data;             // decompressed; PTX without the zeros that pad it
  bool specific = false;          // for this architecture alone: sm_90a
};

// Entries of other kinds are left out. Throws BadFatbin.
std::vector<std::vector<FatbinEntry>> read_fatbin(elf::View containers);

// A module for each container that has PTX for this GPU, for it alone (compute_90a) or not
// (compute_90), the first if it has both, with the cubin for the same where there is one. Throws
// BadFatbin.
std::vector<device::Module> modules_of_fatbin(elf::View containers, const model::Gpu&);

} // namespace course::code
