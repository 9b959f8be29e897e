// Memory operand: what a load, store or atomic does, and how it is counted.
#pragma once

#include "device/code/ptx/module.hpp"
#include "device/emulator/decode/operation.hpp"
#include "device/model/request_type.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace course::emulator {

struct WarpgroupProduct;

enum class Direction : std::uint8_t { load, store, atomic };

// How far it is proven that the GPU executes an access as often as the PTX, with the same lanes
// (proof.hpp). Ahead: a load that the GPU executes for lanes that the PTX leaves out. Of whole
// warps: where all lanes of the warp that have not ended take part.
enum class Proof : std::uint8_t { none, ahead, whole_warps, exact };

// New value of an atomic, from the old one, the operand, and cas's second operand.
using Combine = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand, std::uint64_t with);

// How the requests of an access are deferred (arrangement.hpp).
struct Deferral {
  enum class Until : std::uint8_t { now, place, chunk } until = Until::now;
  std::uint32_t index = 0; // of the place, or of the loop in Code::loops
  // As in Unrolled::Use.
  std::vector<std::uint32_t> executed;
  std::uint32_t merged = 0;
};

inline constexpr std::uint32_t kMostSites = 1u << 19; // of a module: a Record has so many bits

// Which of several arrays in dynamic shared memory an access is of (array_bases.hpp).
struct CarvedArray {
  std::uint16_t base = 0; // 0: not known, or none of these
  bool fills = false;     // stores what is the same for all threads
};

struct MemoryOperand {
  ptx::Space space = ptx::Space::global;
  Direction direction = Direction::load;
  std::uint8_t element = 4;    // bytes
  std::uint8_t components = 1; // of a vector
  bool has_base = true;
  bool wide_base = true;   // the base register has 64 bits
  bool strong = false;     // relaxed, acquire, release: does not race with atomics
  bool returns = false;    // atomic: the old value is wanted
  bool unchanging = false; // ld.global.nc, ldu: nobody may write there while the kernel runs
  Slot base = 0;
  std::int64_t offset = 0;
  std::array<Slot, 8> value{}; // components; of an atomic: result, operand, second operand
  Combine combine = nullptr;

  // Its address is one of the cluster's shared memory: the rank of a block, and an offset.
  bool of_cluster = false;
  const MemoryOperand* remote = nullptr; // the same access where that is another block's

  // generic: the same access to each memory that its address may turn out to be in.
  const MemoryOperand* shared = nullptr;
  const MemoryOperand* global = nullptr;
  const MemoryOperand* local = nullptr;
  const MemoryOperand* constant = nullptr;
  const MemoryOperand* barrier = nullptr;    // of a bulk copy: that is told when it is there
  const WarpgroupProduct* product = nullptr; // of wgmma: what it multiplies
  // Of the source of cp.async: it is read on until somebody has waited for the copy.
  bool goes_on = false;
  bool asynchronous = false; // not ordered with ordinary accesses but by a fence of proxies

  // param: where the variable is in the frame, lane after lane
  Slot area = 0;
  std::uint32_t area_bytes = 0;

  std::uint32_t id = 0;          // index in Program::sites
  std::uint32_t instruction = 0; // index in the function's body
  CarvedArray array;
  std::optional<model::RequestType> reported; // where not by space, direction and width

  // Counting, by the SASS instruction. Width 0: it does not execute, and is not counted. An access
  // wider than in PTX begins at the PTX address rounded down; a split one has several beginnings.
  model::RequestKind kind = model::RequestKind::global_load;
  std::uint8_t counted_width = 4;
  Proof proof = Proof::none;
  std::vector<std::int32_t> begins{0}; // bytes behind the PTX address
  struct OfTile { // one of those that a wmma.load or wmma.store becomes, in order
    std::uint8_t place = 0, parts = 0;
    std::uint8_t neighbours = 1; // as many that follow each other are side by side in memory
  };
  OfTile of_tile;         // parts 0: of none
  Deferral deferral;      // when it is counted
  bool around_l1 = false; // cp.async.cg
  bool may_fill =
      false; // cp.async: with zeros, by a predicate or in copies of their own (device.hpp)
  bool any_count = false; // cp.async: ptxas does not know that each lane reads all or nothing
  bool one_lane = false;  // ptxas reduces the warp's values first, and one lane accesses memory

  std::uint32_t width() const { return std::uint32_t{element} * components; }
};

inline bool is_strong(const MemoryOperand& access) {
  return access.strong || access.direction == Direction::atomic;
}

// Whether two accesses that would be atomic are not so to each other, where they meet: they are of
// different sizes (PTX ISA, Memory Consistency Model, morally strong operations). Of less than a
// word nothing is said: libcu++ has atomics of bytes by those of their word.
inline bool of_other_size(const MemoryOperand& one, const MemoryOperand& other) {
  return one.element != other.element && one.element >= 4 && other.element >= 4 &&
         !one.asynchronous && !other.asynchronous;
}

struct alignas(64) LaneOffsets { // bytes in a memory of a block
  std::array<std::uint32_t, kLanes> of;
};
struct alignas(64) LaneAddresses {
  std::array<std::uint64_t, kLanes> of;
};

} // namespace course::emulator
