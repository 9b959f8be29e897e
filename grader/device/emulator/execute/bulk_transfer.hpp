// What bulk copies of a row of bytes and of a box of a tensor share.
#pragma once

#include "device/emulator/execute/bulk_copy.hpp"
#include "device/emulator/execute/mbarrier.hpp"
#include "device/emulator/state/global_memory.hpp"

#include <cstddef>
#include <vector>

namespace course::emulator {

// One copy by a lane to a block's shared memory, whose barrier is told.
struct ToShared {
  Warp& warp;
  const MemoryOperand& access;
  std::uint32_t lane;
  BarrierPlace barrier;
  std::uint32_t to;
  const std::vector<std::uint32_t>&
      chunks;             // where each goes; empty: one behind the other from `to`
  std::uint64_t read = 0; // of its source, as Histories number it

  std::uint32_t place(std::uint32_t at) const {
    return chunks.empty() ? to + at : chunks[at / kBulkChunk];
  }
};
void send(const ToShared&, const std::vector<std::byte>&);

// Bytes that the copy reads in its own block's shared memory, and whether it may.
std::vector<std::byte> fetch_shared(Warp&, const MemoryOperand&, std::uint32_t lane,
                                    std::uint32_t offset, std::uint32_t size);
// The same of global memory, which the copy reads until it has come. `read`: of begin_read.
std::uint64_t begin_read(const Warp&, const MemoryOperand&, std::uint32_t lane);
std::vector<std::byte> fetch_global(Warp&, const MemoryOperand&, std::uint32_t lane,
                                    std::uint64_t address, std::uint32_t size, std::uint64_t read);
void store_global(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint64_t address,
                  const std::byte* bytes, std::uint32_t size);
// nullptr: not all of it is in one allocation, which is reported.
Allocation* in_global(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint64_t address,
                      std::uint32_t size);
// Every whole chunk of global memory, as an access of the one lane.
void note_chunks(Warp&, const MemoryOperand&, std::uint32_t lane, Allocation&,
                 std::uint64_t address, std::uint32_t size);
std::uint64_t sectors_of(std::uint64_t address, std::uint32_t size);

} // namespace course::emulator
