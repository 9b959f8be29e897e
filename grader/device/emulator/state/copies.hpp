// Asynchronous copies under way: of a warp (cp.async), of a block (cp.async.bulk), and where they
// land.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace course::emulator {

struct Warp;

struct AsyncCopy {
  std::uint64_t number = 0; // among the copies of its warp
  std::uint32_t group = 0;  // of its lane
  std::uint32_t lane = 0;
  std::uint32_t to = 0; // offset in shared memory
  const MemoryOperand* access = nullptr;
  std::array<std::byte, 16> bytes{};
  std::uint64_t read = 0;   // of its source, as Histories number it
  std::uint32_t landed = 0; // which of its words came before the others, a bit each
};

// Those of one warp that are in flight, in order.
struct AsyncCopies {
  std::vector<AsyncCopy> in_flight;
  std::array<std::uint32_t, kLanes> committed{}; // groups of each lane
  std::uint64_t started = 0;

  void clear() {
    in_flight.clear();
    committed.fill(0);
    started = 0;
  }
};

// Where copies of a block will land.
struct Landing {
  std::uint32_t copies = 0;         // in flight, of all warps; bulk copies that read included
  std::vector<std::uint32_t> words; // for each word of shared memory, copies that will write it

  void clear();
  void expect(std::uint32_t offset, std::uint32_t bytes);
  void done(std::uint32_t offset, std::uint32_t bytes);
  bool at(std::uint32_t offset, std::uint32_t width) const;
};

// A copy out of shared memory that nothing has waited for.
struct BulkRead {
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  std::uint32_t group = 0; // of its lane
  const MemoryOperand* access = nullptr;
  std::uint32_t from = 0, size = 0; // a swizzle moves chunks within what it covers
};

// Bytes in global memory that such a copy may not have written yet: wait_group.read does not wait
// for them.
struct BulkWrite {
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  std::uint32_t group = 0;
  const MemoryOperand* access = nullptr;
  std::uint64_t to = 0, size = 0; // address
};

// Shared memory that a copy to another block of the cluster reads (check/sent_sources.hpp).
struct SentSource {
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  const MemoryOperand* access = nullptr;
  std::uint32_t from = 0, size = 0;
  std::uint64_t barrier = 0, phase = 0; // that tell of it
};

// Those of one block.
struct BulkReads {
  std::vector<BulkRead> in_flight;
  std::vector<BulkWrite> writes;
  std::vector<SentSource> sent;
  std::map<std::uint32_t, std::uint32_t> committed; // groups, by 32 * warp + lane

  void clear() {
    in_flight.clear();
    writes.clear();
    sent.clear();
    committed.clear();
  }
};

} // namespace course::emulator
