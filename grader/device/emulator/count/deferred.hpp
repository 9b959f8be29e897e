// Requests of a warp that are counted later than they are executed, because the GPU does them later
// or in other company (arrangement.hpp).
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct Access;
struct AccessCounter;
struct LaneAddresses;
struct LaneOffsets;

struct DeferredRequest {
  const Access* access = nullptr;
  AccessCounter* counter = nullptr;
  std::uint32_t active = 0; // lanes that it is still to be counted for
  std::uint32_t round = 0;  // of an unrolled loop: within the rounds that go together
  union {                   // by the access's space; left as it is until it is known
    alignas(64) std::array<std::uint32_t, kLanes> offset; // of shared memory
    std::array<std::uint64_t, kLanes> address;
  };

  DeferredRequest() {}
};

struct Deferred {
  std::vector<DeferredRequest> sunk;
  struct Loop {
    std::vector<DeferredRequest> requests;
    // That each lane has begun since it was last counted, or of a loop without chunks, at all.
    alignas(32) std::array<std::uint8_t, kLanes> rounds{};
  };
  std::vector<Loop> loops; // as in Code::loops

  void clear(std::size_t loop_count);
};

// How the requests of an access are deferred.
struct Deferral {
  enum class Until : std::uint8_t { now, place, chunk } until = Until::now;
  std::uint32_t index = 0; // of the place, or of the loop in Code::loops
  // As in Unrolled::Use.
  std::vector<std::uint32_t> executed;
  std::uint32_t merged = 0;
};

// Keeps a request of such an access.
void defer(AccessCounter&, const Access&, Warp&, std::uint32_t active, const LaneOffsets&);
void defer(AccessCounter&, const Access&, Warp&, std::uint32_t active, const LaneAddresses&);

// Operations that the decoder puts where requests are counted; `immediate` is the index. Lanes come
// to the place of loads, begin a round of a loop, and have left it.
void reach_place(Warp&, const Operation&, std::uint32_t mask);
void begin_round(Warp&, const Operation&, std::uint32_t mask);
void leave_loop(Warp&, const Operation&, std::uint32_t mask);

} // namespace course::emulator
