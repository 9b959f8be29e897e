// Generic addresses: where each memory appears in the one address space that generic loads and
// stores see. The values are ours (a program may not rely on the hardware's either); device
// allocations lie below all of them.
#pragma once

#include <cstdint>

namespace course::emulator {

inline constexpr std::uint64_t kWindowBytes = 1ull << 32;
inline constexpr std::uint64_t kSharedWindow = 0x1'0000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = kSharedWindow + kWindowBytes;
inline constexpr std::uint64_t kConstantWindow = kLocalWindow + kWindowBytes;
inline constexpr std::uint64_t kParameterWindow = kConstantWindow + kWindowBytes;
inline constexpr std::uint64_t kFunctionWindow = kParameterWindow + kWindowBytes; // 16 bytes each
// __managed__ variables, which a program maps too: behind all that it allocates
// (device_window.hpp).
inline constexpr std::uint64_t kManagedMemory = 0x110'0000'0000;
inline constexpr std::uint64_t kManagedMemoryBytes = 1ull << 32;   // for each module
inline constexpr std::uint64_t kModuleMemory = 0x2'0000'0000'0000; // variables of modules
inline constexpr std::uint64_t kModuleMemoryBytes = 1ull << 36;    // for each module
// __constant__ variables as host code copies to them by address. Kernels have no use for it.
inline constexpr std::uint64_t kConstantsOnHost = 0x3'0000'0000'0000;
inline constexpr std::uint64_t kConstantsOfModule = 1ull << 16;

// What malloc in kernels gives (device_heap.hpp), to the end of addresses.
inline constexpr std::uint64_t kHeap = 1ull << 60;

// What cooperative launches have for their grid's barrier: a word that cooperative groups count in
// is 4 bytes behind the start, as the header of CUDA 13 has it.
inline constexpr std::uint64_t kGridWorkspace = 0x4'0000'0000'0000;
inline constexpr std::uint64_t kGridWorkspaceBytes = 8;
inline constexpr std::uint64_t kGridBarrier = kGridWorkspace + 4;

// An address in shared memory of a cluster: the block's rank, and the offset in its memory.
inline constexpr std::uint32_t kRankShift = 24;
inline constexpr std::uint32_t kRankBits = 0xffu << kRankShift;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < kWindowBytes;
}

} // namespace course::emulator
