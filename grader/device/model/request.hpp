// A request: one warp-level memory instruction with at least one active lane, and what it costs.
//
// The rules in this room are pure functions. They were measured on an H200 (compute capability 9.0)
// and reproduce every pattern of data/access_patterns.csv; data/README.md says how those were
// taken. Nothing here knows about kernels or devices.
#pragma once

#include <array>
#include <cstdint>

namespace course::model {

inline constexpr int kLanes = 32;
inline constexpr int kBanks = 32;
inline constexpr int kWordBytes = 4;
inline constexpr int kPassBytes = kBanks * kWordBytes; // what one wavefront can carry
inline constexpr std::uint32_t kAllLanes = 0xffffffff;

// What the instruction does. Atomics are told apart by how the hardware executes them (the SASS
// instruction), since that is what the cost depends on.
enum class RequestKind : std::uint8_t {
  shared_load,
  shared_store,
  shared_atomic,           // ATOMS.ADD, MIN, EXCH and the like: one word a lane
  shared_atomic_increment, // ATOMS.POPC.INC: red.add of the constant 1, result unused
  shared_atomic_cas,       // ATOMS.CAS
  shared_atomic_loop,      // LDS and ATOMS.CAST.SPIN until every lane is through: add of float,
                           // and of 64 bits
  ldmatrix,
  stmatrix,
  cp_async, // global to shared: async_copy.hpp, since its cost depends on both sides
  global_load,
  global_store,
  constant_load,

  // What the rules of this room say nothing of.
  all_of_shared, // by a GPU that counts totals alone
  global_atomic,
  generic_load, // before it is known which memory its address is in
  generic_store,
  generic_atomic,
  local_load,
  local_store,
  dshared_load, // to another block's shared memory
  dshared_store,
  dshared_atomic,
  dshared_store_async,
  dshared_red_async,
  bulk_dshared_store, // from the own block's to another's
  bulk_global_load,
  bulk_global_store,
  tensor_global_load,
  tensor_global_store,
  texture_1d,
  texture_2d,
  texture_3d,
  texture_1d_layered,
  texture_2d_layered,
  surface_load,
  surface_store,
  wgmma,
};
constexpr bool is_measured(RequestKind access) {
  return access <= RequestKind::constant_load;
}

// Shared memory's view of a request. Each active lane touches `width` bytes at its offset.
//
// Any value is safe. A width other than those below counts as the next of them, or as 16 when
// there is none; an offset that is no multiple of the width counts as rounded down to one (the
// hardware refuses it, so the emulator has reported it before it asks what it costs).
struct Request {
  RequestKind access = RequestKind::shared_load;
  int width =
      4; // bytes a lane: 1, 2, 4, 8, 16. ldmatrix and stmatrix: 4 a matrix, for .x1, .x2, .x4
  std::uint32_t active = kAllLanes;           // bit l: lane l takes part
  std::array<std::uint32_t, kLanes> offset{}; // bytes from the start of shared memory
};

struct Passes {
  int wavefronts = 0; // passes through the shared-memory data stage
  int ideal = 0;      // those that it would take at best
  int ways = 0;       // the most that one bank had to serve in one group of lanes

  int conflicts() const { return wavefronts - ideal; }
  bool operator==(const Passes&) const = default;
};

} // namespace course::model
