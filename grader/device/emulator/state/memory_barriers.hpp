// Barriers in memory (mbarrier) of a block: what is kept beside their bytes (execute/mbarrier.hpp),
// and what comes by itself and tells them.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/knowledge.hpp"
#include "device/message.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace course::emulator {

struct Block;
struct Warp;

inline constexpr std::uint32_t kMostArrivals = (1u << 20) - 1; // and bytes (PTX ISA, mbarrier)

// Lanes of one warp that have seen a phase complete.
struct SeenPhase {
  std::uint64_t block = 0; // linear index
  Record record = 0;       // without a lane
  std::uint32_t lanes = 0;
};

// What lanes of one warp last did with a barrier.
using UsedBarrier = SeenPhase;

struct Mbarrier {
  std::uint32_t expected = 0;  // arrivals a phase
  std::uint32_t pending = 0;   // of them, that are missing in this phase
  std::int64_t bytes = 0;      // that this phase was told to expect, less those that came
  std::uint64_t phase = 0;     // those before it are complete
  Passed gathered;             // what this phase's arrivals pass on
  Passed completed;            // what the last complete phase's did
  Known begun;                 // what was before the copies that have arrived were told of
  std::uint64_t ended = 0;     // MemoryBarriers::progress when that one ended
  std::uint32_t looks = 0;     // at it in vain in this phase, at liberty
  std::uint64_t made_in = 0;   // the block whose thread initialised it,
  Record made = 0;             // and where
  std::vector<SeenPhase> seen; // by waits for the phase before this one
  std::vector<UsedBarrier> uses;
};

// Where a barrier was that a thread has ended (mbarrier.inval).
struct EndedBarrier {
  std::uint64_t block = 0; // linear index
  Record record = 0;
};

// A barrier in some block's shared memory.
struct BarrierPlace {
  Block* block = nullptr;
  std::uint32_t offset = 0;
  bool operator==(const BarrierPlace&) const = default;
};

// What comes by itself, and that a barrier is told of.
struct Tracked {
  enum class What { copies, bulk, join } what{};
  Warp* by = nullptr;
  std::uint32_t lane = 0;
  std::uint32_t barrier = 0; // offset
  std::uint64_t before = 0;  // copies: of cp.async, those of the lane with a lower number
  Known told;                // copies: what was before the lane told the barrier of them
  // Of copies: the barrier. bulk: to `to` in shared memory of the block that has the barrier; join:
  // as the access combines
  const MemoryOperand* access = nullptr;
  bool lost = false; // it has nowhere to go
  std::uint32_t to = 0;
  // Where each chunk of 16 bytes goes, where that is not one behind the other.
  std::vector<std::uint32_t> chunks;
  std::vector<std::byte> bytes;
  std::vector<bool> landed; // which pieces of 16 bytes came before the others; empty: none
  std::uint64_t read = 0;   // of a source in global memory, as Histories number it; 0: none
  std::uint64_t phase = 0;  // of the barrier, when the copy was asked for
  std::uint32_t agent = 0;  // where orders are chosen (execute/choices.hpp); 0: not yet
};

// Those of one block.
class MemoryBarriers {
public:
  void clear();
  Mbarrier* find(std::uint32_t offset);

  std::map<std::uint32_t, Mbarrier> all; // by offset in shared memory
  std::map<std::uint32_t, EndedBarrier> ended;
  std::vector<Tracked> under_way; // in order
  std::uint64_t progress = 0;     // rises with each arrival, and with bytes
  // Where orders are chosen: how often each place has become another barrier, or another phase.
  std::map<std::uint32_t, std::uint64_t> turns;
  std::uint32_t parked = 0; // splits that wait for a phase
};

// "full[1] (byte 8)"
device::Message name_of(const BarrierPlace&);
using BarrierPlaces = std::array<BarrierPlace, kLanes>;

} // namespace course::emulator
