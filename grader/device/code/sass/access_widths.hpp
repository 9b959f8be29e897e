// What ptxas made of the memory accesses of PTX: how wide each one is in the SASS that a GPU runs.
//
// ptxas merges neighbouring shared-memory accesses (four ld.shared.f32 become one LDS.128), drops
// unused ones, narrows vector loads to the components that are used, and turns atomics into loops
// or into one lane's work. Conflicts are those of the SASS, so an emulator of PTX must ask here.
//
// Sources: the SASS of the cubin, by the opcodes in decode.hpp; `.nv_debug_line_sass`, a DWARF 2
// line program from SASS addresses to lines of the PTX text, and `.debug_line`, one to source
// lines. Both are there when nvcc was given -lineinfo. None of it is documented by NVIDIA:
// self_check.hpp proves it on the toolkit at hand.
#pragma once

#include "device/code/ptx/module.hpp"
#include "device/code/sass/blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace course::sass {

enum class Operation : std::uint8_t {
  load,         // LDS, LDG, LDL, LDC, LD
  store,        // STS, STG, STL, ST
  atomic,       // ATOMS, ATOMG, RED, ATOM
  matrix_load,  // LDSM: ldmatrix
  matrix_store, // STSM: stmatrix
  copy,         // LDGSTS: cp.async
  shuffle,      // SHFL
  vote,         // VOTE, VOTEU
  match,        // MATCH
  reduction,    // REDUX
};

// generic: the instruction finds out by the address. none: an exchange between lanes.
enum class Memory : std::uint8_t { shared, global, local, constant, generic, none };

enum class Atomic : std::uint8_t {
  none,
  add,
  min,
  max,
  inc,
  dec,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  popc_inc,  // ATOMS.POPC.INC: adds 1 for each lane, lanes with the same address are merged
  cas,       // ATOMS.CAS
  cast_spin, // a loop of LDS and ATOMS.CAST.SPIN: float and 64-bit add, 64-bit min and max
  other,     // global and generic compare-and-swap loops, and what has not been seen yet
};

struct Access {
  Operation operation{};
  Memory memory{};
  Atomic atomic = Atomic::none;
  std::uint8_t width = 0;       // bytes a lane; of matrix operations 16, a row; 0: not known
  std::uint8_t matrices = 0;    // of matrix operations: 1, 2, 4
  bool guarded = false;         // by a predicate
  std::uint32_t guard_line = 0; // PTX line of what set that predicate last; 0: not known
  // Of copies: the address's low bits say how many bytes are read, but for the predicate of the
  // lanes that read none. Without it, a lane reads all or nothing.
  bool any_count = false;
  bool fills = false;    // of copies: with zeros alone
  bool may_fill = false; // of copies: with zeros, where a lane's predicate says so
  // The values of the warp are reduced in registers first, and one elected lane accesses memory:
  // ptxas does so where the address is the same for the whole warp.
  bool warp_aggregated = false;
  // Of loads and stores: where they point, as registers (of a lane, and of the warp) and bytes.
  std::uint16_t base = 0;
  std::int32_t offset = 0;
  std::uint32_t address = 0;  // of the instruction in its kernel's section, bytes
  std::uint32_t ptx_line = 0; // 1-based; 0: unknown
  // Innermost. ptxas forgets to change the file where the line stays the same number, so the PTX's
  // .loc is to be trusted more.
  std::uint32_t source_file = 0; // index into Cubin::files
  std::uint32_t source_line = 0; // 0: unknown
};

// A kernel with the functions it calls, which ptxas copies behind it.
struct Kernel {
  std::string name; // mangled, as in the PTX
  std::vector<Access> accesses;
  std::vector<std::uint32_t>
      ptx_lines; // every line that any of its instructions comes from, sorted
  std::vector<Block> blocks;
  std::vector<std::uint32_t> line_of; // PTX line of each instruction, 16 bytes after 16 bytes
  // PTX lines of branches by which lanes leave a meeting point that others still come to (BREAK).
  std::vector<std::uint32_t> breaks = {};
  // PTX lines of setmaxnreg. ptxas leaves it out where no bound says with how many registers the
  // kernel begins.
  std::vector<std::uint32_t> sets_registers = {};
};

struct Cubin {
  std::vector<std::string> files; // of .debug_line, with their folders
  std::vector<Kernel> kernels;
  bool has_lines = false; // it was compiled with -lineinfo
  std::string ptx_text;   // the lines that ptxas read, as lines_as_read takes them
};

struct Error {
  std::string message; // what, and where
};

// Safe on any bytes.
std::variant<Cubin, Error> read(std::span<const std::byte> cubin);

// What became of one PTX instruction. What was executed is never free for want of a match: only
// `found` and `merged_away` are proven, everything else counts as the PTX has it, and is marked.
struct Match {
  enum class Status : std::uint8_t {
    not_an_access, // neither accesses memory nor exchanges values
    found,
    // It does not execute: a wider or equal access that was found does its work, or nobody needs
    // its result, and no SASS is at its line.
    merged_away,
    ambiguous, // its SASS copies differ, or a loop that ptxas unrolled was merged: width unknown
    missing,   // no SASS is at its line, and nothing says why
    unknown,   // no line information for this function, or its SASS is of other kinds
  };
  Status status = Status::not_an_access;

  // When found: one request of access.width bytes a lane for each of `begins`, which is that many
  // bytes behind the PTX address; an access that is wider than in PTX begins at the PTX address
  // rounded down to its width. There are several where a vector load was split: of a float4 whose x
  // and z are used, ptxas loads two floats, 0 and 8 bytes behind. So it does with two loads that it
  // had merged into such a vector; the second is then merged away.
  Access access;
  std::vector<std::int32_t> begins;
  std::vector<std::uint32_t> copies; // addresses in the kernel of all SASS that does its work
  // wmma.load, wmma.store: the accesses that a lane does, one after another, all as wide; `begins`
  // says how many, and nothing of where, which is for who knows the shape of the tile.
  bool is_tile = false;
};

struct Wanted;

// Of variables in shared memory, as the hardware lays them out: bytes.
using Addresses = std::map<std::string, std::int64_t>;

// Looks up what became of the instructions of a module's functions. Made once a cubin.
class Matcher {
public:
  explicit Matcher(Cubin);

  // One for each instruction of the body, over all kernels that contain the function. Parameters at
  // fixed places are operands of arithmetic, and not looked at.
  std::vector<Match> match(const ptx::Function&, const Addresses& shared = {}) const;

  const Cubin& cubin() const { return cubin_; }

private:
  std::span<const Access> at_line(std::uint32_t ptx_line) const;
  bool covers(const ptx::Function&) const;
  bool kinds_fit(const ptx::Function&, const std::vector<std::optional<Wanted>>&) const;

  Cubin cubin_;
  std::vector<Access> accesses_;     // of all kernels, by PTX line
  std::vector<std::uint32_t> lines_; // sorted
};

} // namespace course::sass
