// Warp: 32 lanes that execute a kernel, as a set of splits.
//
// A split is a group of lanes at one place in the program. At a branch that its lanes disagree on
// it becomes two, which wait for each other where the branch's paths meet again (a join: the
// branch's immediate post-dominator). One split runs at a time until it waits or ends, so the order
// is the same in every run; none starves, because a split that keeps running is set aside after a
// while (interpreter.hpp).
#pragma once

#include "device/emulator/decode/operation.hpp"
#include "device/emulator/state/copies.hpp"
#include "device/emulator/state/deferred_requests.hpp"

#include <cstdint>
#include <vector>

namespace course::emulator {

struct Block;
struct Code;

inline constexpr std::uint32_t kNone = 0xffffffff; // no join, no call

// Where split lanes meet again. Lanes that end leave every join that expects them.
struct Join {
  std::uint32_t at = 0;       // operation
  std::uint32_t call = kNone; // the call that it belongs to
  std::uint32_t outer = kNone;
  std::uint32_t expected = 0, arrived = 0; // lanes; both 0: free
};

// One activation of a function. The entry's is number 0.
struct Activation {
  const Code* code = nullptr;
  std::uint32_t caller = kNone;  // activation
  std::uint32_t return_to = 0;   // operation of the caller
  std::uint32_t lanes = 0;       // that have not returned; 0: free
  std::size_t frame = 0;         // position in Warp::registers, in lines
  std::uint32_t local_begin = 0; // position of its local variables on the lanes' stacks
};

struct Split {
  enum class State : std::uint8_t {
    ready,
    at_barrier,
    at_rendezvous,
    at_phase,
    at_cluster,
    at_products,
    at_registers,
    at_choice // between threads that can tell who was first: explore/
  };
  std::uint32_t at = 0; // operation
  std::uint32_t lanes = 0;
  std::uint32_t join = kNone;
  std::uint32_t activation = 0;
  State state = State::ready;
  std::uint32_t barrier = 0;    // which one it waits at
  std::uint32_t members = 0;    // of the rendezvous it waits at; of a phase: lanes that may go on
  std::uint64_t round = 0;      // of the scheduler, in which it last used up its slice
  std::uint64_t not_before = 0; // a round: it has been preempted until then
  bool left_behind = false;     // at a rendezvous that others have been let past
  bool had_turn = false;        // others have just been let ahead of its next operation
  const Operation* polled = nullptr; // that looked for a phase in vain when it last gave way
};

struct Warp {
  std::byte* frame = nullptr; // of the running split's activation
  Block* block = nullptr;
  std::uint32_t index = 0;      // in the block
  std::uint32_t lanes = 0;      // that the block has; fewer than 32 in a last warp
  std::uint32_t live = 0;       // that have not ended
  std::uint32_t owned = 0;      // registers a thread: register_pool.cpp
  bool touched_atomics = false; // set by atomics and volatile accesses: it may wait for a lane
  bool looked_at_grid = false;  // at the barrier of a cooperative grid: it may wait for a block
  const Operation* polled = nullptr; // looked for a phase of a barrier in memory, in vain
  bool watched = false;              // each operation is looked at before it is executed

  // When this warp last synchronised with itself (__syncwarp) and with anything: race.hpp.
  std::uint32_t stamp = 0, synchronised = 0;

  std::array<std::uint32_t, kLanes> cluster_arrivals{}; // at the barrier of the cluster

  AsyncCopies copies;
  Deferred deferred;
  std::vector<Split> splits;
  std::vector<Join> joins;
  std::vector<Activation> activations;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> registers;             // frames of all activations
  std::vector<std::byte> local;            // the lanes' stacks: local_memory.hpp
  std::vector<std::uint8_t> local_written; // for each byte of `local`, which bits are defined
};

} // namespace course::emulator
