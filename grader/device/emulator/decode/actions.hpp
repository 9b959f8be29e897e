// Actions: the functions that operations name (Operation::execute). The decoder chooses among them
// and puts into an operation what each needs; it knows no more of them than is said here. Those
// that work on lanes, memory and barriers are defined in execute, those that only count or check
// there. Arithmetic is chosen by the full name of an instruction: instruction_set.hpp.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <cstdint>

namespace course::emulator {

// ---- moves. A vector's parts are in the first slots, the whole in the last one; `immediate`: how
// many there are. By bytes of a part.
inline constexpr int kWholeSlot = 5;
Execute packer(std::uint32_t part);
Execute unpacker(std::uint32_t part);
Action move_128, make_policy;
Action read_clock_32, read_clock_64; // shifted right by `immediate`
// isspacep: whether an address is in this window; 0: in global memory. in_own_shared: a generic
// address in the block's own shared memory.
Execute window_test(std::uint64_t window);
Action in_own_shared;

// ---- memory. Before a strong load from the address in slot 0, or another strong access: the warp
// may be waiting for somebody.
Action look_at_flag, touch_atomics;

// ---- fences: of memory, for the scope in `immediate`; between ordinary and asynchronous accesses,
// of these spaces; and of barriers in memory that were initialised.
Action fence_memory, fence_proxies, fence_barriers;
inline constexpr std::uint32_t kFencesShared = 1, kFencesGlobal = 2;

// ---- griddepcontrol.wait: for a launch of the same stream that may not have ended yet.
Action wait_for_earlier_launch;

// ---- where requests are counted that the GPU makes later; `immediate` is the index. Lanes come to
// the place of loads, begin a round of a loop, and have left it.
Action reach_place, begin_round, leave_loop;

// ---- cp.async. The copy has the access to shared memory, whose `global` is the other side; slot 1
// holds how many bytes come from there, the rest being zero. The wait has its count in `immediate`.
Action start_copy, commit_copies, wait_for_groups, wait_for_all;

// ---- cp.async.bulk. Of a copy the access is the side in shared memory, whose `global` is the
// other side, or `shared` where it comes from there, and whose `barrier` is told; slot 1 holds the
// number of bytes, slot 2, if not 0, the ranks of the blocks that it goes to. `combine` of the
// other side is how a reduction joins elements of `immediate` bytes.
Action bulk_copy_in, bulk_copy_out, commit_bulk_copies;
// All but the last `immediate`; until shared memory was read where `target` is not 0.
Action wait_for_bulk_copies;
inline constexpr std::uint32_t kBulkChunk = 16; // bytes: sizes and addresses are multiples of it
// By a tensor map: `global` of the access points to it; coordinates are in the slots of the
// access's values, the innermost first, `immediate` of them.
Action tensor_copy_in, tensor_copy_out;
// st.async, red.async: the access has the address; its `barrier` is told.
Action start_store_async;

// ---- mbarrier. Slot 0 is the result: the state before an arrival, or the predicate of a test;
// slot 1 how many arrivals or bytes; slot 2 what is waited for. `immediate`: what is asked for.
Action initialise_barrier, invalidate_barrier, arrive_at_barrier, expect_bytes, complete_bytes;
Action arrive_when_copied; // cp.async.mbarrier.arrive
Action test_phase, count_pending;
inline constexpr std::uint32_t kReleases = 1;
inline constexpr std::uint32_t kAcquires = 2;
inline constexpr std::uint32_t kNoComplete = 4; // the phase must not end by it
inline constexpr std::uint32_t kDrops = 8;      // later phases expect one arrival less
inline constexpr std::uint32_t kExpects = 16;   // slot 1 is a number of bytes; one arrival is made
inline constexpr std::uint32_t kParity = 32;    // slot 2 is a parity, else what an arrival returned
inline constexpr std::uint32_t kIncreases = 64; // cp.async.mbarrier.arrive without .noinc

// ---- clusters. Before a barrier that says .aligned: all lanes of the warp have to be here.
Action need_aligned;
Action arrive_at_cluster;              // `immediate`: it releases
Action map_to_rank_32, map_to_rank_64; // mapa: address, rank
Action rank_of_32, rank_of_64;         // getctarank
Action give_registers_back;            // setmaxnreg.dec: `immediate` registers a thread are kept

// ---- matrices. ldmatrix and stmatrix of one to four 8x8 matrices of 16-bit numbers: the access
// names 16 bytes, a row, for each of the lanes 0 to 8 * matrices - 1. Slot 0 has the registers, 32
// lanes of the first matrix and then of the next; `immediate`: how many matrices there are.
Execute matrix_load(bool transposed);
Execute matrix_store(bool transposed);
struct Product;
// D = A B + C. Slots 0 to 3: D, A, B, C, each register's 32 lanes one after the other. Floating
// point is added up as a matrix unit does (unit_sums.hpp). `keep` remembers the product and gives
// its number, which goes into slot 4; `immediate` is the site.
std::uint32_t keep(const Product&);
Action multiply_tiles;
Action need_whole_warp; // reports lanes that are missing at the site in `immediate`
// Where lanes find an element of a tile in memory: slot 0, 64 bits, from the address in slot 1 and
// the stride in elements in slot 2. `immediate`: packed_place (tiles.hpp).
Action point_at_tile;
// Part `immediate` of a register: from slot 1 into the register in slot 0, and the other way round.
// By bytes of the part, 1 or 2.
Execute put_part(int bytes);
Execute take_part(int bytes);

// ---- wgmma. The access of a product says what it multiplies; `immediate` of the others is their
// site.
Action start_product, fence_products, commit_products;
// Before an instruction that accesses registers of products: `immediate` is the site, whose code
// has the registers under `target`.
Action touch_registers;

// ---- textures. Slots: four results of 32 bits, one behind the other; the object, 64 bits; up to
// four coordinates of 32 bits, one behind the other.
Action fetch_texture;
enum class Geometry : std::uint8_t { one, two, three, layers_of_one, layers_of_two };
struct Fetch { // how a fetch is packed in `immediate`
  Geometry geometry{};
  bool by_index = false;    // integer coordinates: tex1Dfetch
  bool gathers = false;     // tld4
  std::uint8_t channel = 0; // that it gathers

  std::uint32_t packed() const {
    return static_cast<std::uint32_t>(geometry) | (by_index ? 8u : 0u) | (gathers ? 16u : 0u) |
           std::uint32_t{channel} << 5;
  }
};
// Where surface accesses point. Slots: the address, 64 bits; the object; the coordinates; a
// predicate, set for lanes that have something to access. `immediate`: geometry, outside << 3,
// bytes of the access << 5.
Action point_at_surface;
enum class Outside : std::uint8_t { trap, clamp, zero }; // what it does beyond the array
Action clear_lanes; // the 32 lanes of slot 0, of 1, 2, 4 or 8 bytes (`immediate`), are 0

} // namespace course::emulator
