// Bulk copies (cp.async.bulk, cp.reduce.async.bulk): one lane moves many bytes, asynchronously, in
// chunks of 16.
//
// Into shared memory they are told to a barrier in memory, and are under way until somebody looks
// at that (mbarrier.hpp). Out of shared memory they belong to a bulk group of their lane: the bytes
// are moved at once, and until the lane waits for the group whoever writes what is read is
// reported. Copies reach shared memory by another way than ordinary accesses do (the async proxy):
// what was stored has to be fenced before a copy reads it, which no result ever shows.
#pragma once

#include "device/emulator/decode/access.hpp"
#include "device/emulator/decode/operation.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace course::emulator {

struct Block;
struct Tracked;
struct Warp;

inline constexpr std::uint32_t kBulkChunk = 16; // bytes: sizes and addresses are multiples of it

// A copy out of shared memory that nothing has waited for.
struct BulkRead {
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  std::uint32_t group = 0; // of its lane
  const Access* access = nullptr;
  std::uint32_t from = 0, size = 0; // a swizzle moves chunks within what it covers
};

// Bytes in global memory that such a copy may not have written yet: wait_group.read does not wait
// for them.
struct BulkWrite {
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  std::uint32_t group = 0;
  const Access* access = nullptr;
  std::uint64_t to = 0, size = 0; // address
};

// Those of one block.
struct BulkReads {
  std::vector<BulkRead> in_flight;
  std::vector<BulkWrite> writes;
  std::map<std::uint32_t, std::uint32_t> committed; // groups, by 32 * warp + lane

  void clear() {
    in_flight.clear();
    writes.clear();
    committed.clear();
  }
};

// Operations. Of a copy the access is the side in shared memory, whose `global` is the other side,
// or `shared` where it comes from there, and whose `barrier` is told; slot 1 holds the number of
// bytes, slot 2, if not 0, the ranks of the blocks that it goes to. `combine` of the other side is
// how a reduction joins elements of `immediate` bytes.
void bulk_copy_in(Warp&, const Operation&, std::uint32_t mask);
void bulk_copy_out(Warp&, const Operation&, std::uint32_t mask);
void commit_bulk_copies(Warp&, const Operation&, std::uint32_t mask);
// All but the last `immediate`; until shared memory was read where `target` is not 0.
void wait_for_bulk_copies(Warp&, const Operation&, std::uint32_t mask);
// Reports a lane that accesses what a copy of its block may still write.
void check_bulk_writes(Warp&, const Access&, std::uint32_t mask, const LaneAddresses&);

// What a copy brings is there.
void land(Block&, const Tracked&);
// The block has ended: reports copies that may still need its memory.
void end_bulk_copies(Block&);

} // namespace course::emulator
