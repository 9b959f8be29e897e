// Counts: what each access of a kernel amounted to, in one worker.
#pragma once

#include "device/device.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/block.hpp"
#include "device/model/atomics.hpp"
#include "device/model/request.hpp"

#include <memory>
#include <vector>

namespace course::emulator {

struct Allocation;

struct AccessCounter {
#define COURSE_COUNT(member, word, leave_out, of) std::uint64_t member = 0;
#include "device/model/counts.def"
  std::array<std::uint64_t, 33> ways{};
  bool doubtful = false; // of one request at least nobody knows that the GPU counts it so
  bool at_least = false; // a loop that other warps make longer, or atomics to several blocks
  bool turns = false;    // in a longer loop lanes of one warp may be in each other's way

  // The request with the most conflicts or sectors; among equals, the first of the lowest block.
  std::uint32_t worst_excess = 0;
  std::uint64_t worst_block = 0;
  device::RequestSample worst;

  // What the last request cost. Another costs the same when its lanes are as far apart: adding a
  // multiple of a word to all offsets only renames the banks, and a multiple of 32 the sectors.
  struct Last {
    std::uint32_t active = 0, phase = 0;
    model::Passes passes;
    int sectors = 0;
    std::array<std::uint32_t, kLanes> apart{};
  } last;

  // Where the last request went, as the next one will likely go there too.
  Allocation* allocation = nullptr;
  std::uint32_t array = 0;

  void add(const AccessCounter&); // of another worker, for the same launch or a later one
};

// Counters by MemoryOperand::id; those of accesses that were never executed are absent.
struct Counters : std::vector<std::unique_ptr<AccessCounter>> {};
void add(Counters& to, const Counters& from);

inline AccessCounter& counter_of(Block& block, std::uint32_t id) {
  auto& counter = (*block.counters)[id];
  if (!counter) [[unlikely]]
    counter = std::make_unique<AccessCounter>();
  return *counter;
}

// One request, now or when it is due (MemoryOperand::deferral). Inactive lanes have the first
// active one's position.
void count_shared(AccessCounter&, const MemoryOperand&, Warp&, std::uint32_t active,
                  const LaneOffsets&);
void count_global(AccessCounter&, const MemoryOperand&, Warp&, std::uint32_t active,
                  const LaneAddresses&);
void count_shared_now(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t active,
                      const LaneOffsets&);
void count_global_now(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t active,
                      const LaneAddresses&);
// Of an asynchronous copy: the access is that to shared memory, and its counter has the sectors
// too. `reading`: the lanes that do not only fill with zeros.
void count_copy(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t active,
                std::uint32_t reading, const LaneAddresses& from, const LaneOffsets& to);
// Of an atomic on 64 bits that ptxas makes a loop of, whose rounds depend on the values.
void count_loop(AccessCounter&, const MemoryOperand&, Warp&, std::uint32_t active,
                const LaneOffsets&, const model::LoopValues&);
// Also of a parameter that lanes read at places of their own.
void count_constant(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t active,
                    const LaneOffsets&);

// To another block's shared memory: ranks and offsets (model/remote.hpp).
void count_remote(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t active,
                  const LaneOffsets&);
// A bulk copy that a lane asks for; `global`: where it is in global memory, if it is.
void count_bulk(AccessCounter&, const MemoryOperand&, const Warp&, std::uint32_t lane,
                std::uint64_t global, std::uint64_t bytes, std::uint64_t sectors);
// A warp's part of a product: what its operands in shared memory take, whatever their layout.
void count_product(AccessCounter&, const MemoryOperand&, const Warp&, std::uint64_t wavefronts);

// As it is reported.
model::RequestType kind_of(const MemoryOperand&);

} // namespace course::emulator
