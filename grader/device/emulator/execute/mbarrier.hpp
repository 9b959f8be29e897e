// Barriers in memory (mbarrier): objects of 8 bytes in shared memory that count arrivals and bytes,
// phase by phase.
//
// What an object holds is kept beside its bytes, which are opaque (on an H200 an ordinary load of
// one gives 0). A wait parks its lanes until the phase is complete (phase_wait.cpp). What comes by
// itself (a bulk copy, cp.async that a barrier tracks) comes when somebody looks at the barrier, or
// when nothing else can go on (at liberty not always at the first look: liberties.hpp): whoever
// does not wait finds it still under way.
//
// Who waits for a phase has behind it all that was before the arrivals of that phase. A wait that
// the next phase does not come behind is reported: two phases on, a parity looks as it did before,
// and a wait that was late would go on for ever.
#pragma once

#include "device/emulator/check/order.hpp"
#include "device/emulator/decode/access.hpp"
#include "device/emulator/decode/operation.hpp"
#include "device/message.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
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
  // bulk: to `to` in shared memory of the block that has the barrier; join: as the access combines
  const Access* access = nullptr;
  bool lost = false; // it has nowhere to go
  std::uint32_t to = 0;
  // Where each chunk of 16 bytes goes, where that is not one behind the other.
  std::vector<std::uint32_t> chunks;
  std::vector<std::byte> bytes;
  std::uint64_t phase = 0; // of the barrier, when the copy was asked for
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
  std::uint32_t parked = 0;       // splits that wait for a phase
};

// What an instruction asks for, in Operation::immediate.
inline constexpr std::uint32_t kReleases = 1;
inline constexpr std::uint32_t kAcquires = 2;
inline constexpr std::uint32_t kNoComplete = 4; // the phase must not end by it
inline constexpr std::uint32_t kDrops = 8;      // later phases expect one arrival less
inline constexpr std::uint32_t kExpects = 16;   // slot 1 is a number of bytes; one arrival is made
inline constexpr std::uint32_t kParity = 32;    // slot 2 is a parity, else what an arrival returned
inline constexpr std::uint32_t kIncreases = 64; // cp.async.mbarrier.arrive without .noinc

// Operations. Slot 0 is the result: the state before an arrival, or the predicate of a test; slot 1
// how many arrivals or bytes; slot 2 what is waited for.
void initialise_barrier(Warp&, const Operation&, std::uint32_t mask);
void invalidate_barrier(Warp&, const Operation&, std::uint32_t mask);
void arrive_at_barrier(Warp&, const Operation&, std::uint32_t mask);
void expect_bytes(Warp&, const Operation&, std::uint32_t mask);
void complete_bytes(Warp&, const Operation&, std::uint32_t mask);
void arrive_when_copied(Warp&, const Operation&, std::uint32_t mask); // cp.async.mbarrier.arrive
void test_phase(Warp&, const Operation&, std::uint32_t mask);
void count_pending(Warp&, const Operation&, std::uint32_t mask);

// Of a test or wait by lanes of the warp's frame: those whose phase is complete, or that cannot
// wait as there is no barrier; before or after what is under way for these barriers has come.
std::uint32_t lanes_past(Warp&, const Operation&, std::uint32_t mask);
std::uint32_t lanes_through(Warp&, const Operation&, std::uint32_t mask);
// At liberty: whether a wait that cannot go on says so, and is not suspended. It always does at
// first.
bool says_so(Warp&, const Operation&, std::uint32_t mask);
// Lanes go on behind a complete phase.
void see_phase(Warp&, const Operation&, std::uint32_t lanes);

// Where lanes point, in any block; returns those that may go on. `what` is for the report of the
// others: "arrives at".
using BarrierPlaces = std::array<BarrierPlace, kLanes>;
std::uint32_t barrier_places(Warp&, const Access&, std::uint32_t mask, BarrierPlaces&);
// The barrier there, initialised, and that in an order with what the lane does now. nullptr: it is
// not, which is reported.
Mbarrier* barrier_for(Warp&, const Access&, std::uint32_t lane, const BarrierPlace&,
                      device::MessageId does);

// All that is under way, for the barrier or for any, comes. Returns whether there was something.
bool let_come(Block&, std::uint32_t barrier);
bool let_all_come(Block&);

// "full[1] (byte 8)"
device::Message name_of(const BarrierPlace&);

} // namespace course::emulator
