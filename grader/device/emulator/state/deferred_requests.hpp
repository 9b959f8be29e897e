// Requests of a warp that are not counted yet (count/deferred.hpp).
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct MemoryOperand;
struct AccessCounter; // count/access_counter.hpp

struct DeferredRequest {
  const MemoryOperand* access = nullptr;
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

  void clear(std::size_t loop_count) {
    sunk.clear();
    loops.resize(loop_count);
    for (Loop& loop : loops) {
      loop.requests.clear();
      loop.rounds = {};
    }
  }
};

} // namespace course::emulator
