// What is known of an instruction by its opcode: the table of instructions.def, a row for each.
//
// The parser finds the row once, and Instruction carries it: nobody else compares opcodes by their
// text. What a modifier says beyond the row's name (a type, a space, a scope) is still asked of the
// modifiers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace course::ptx {

enum class Opcode : std::uint8_t {
  unknown, // it has no row
#define ROW(id, ...) id,
#include "device/code/ptx/instructions.def"
};

enum class Class : std::uint8_t {
  unknown,
  compute, // arithmetic, logic, conversions, moves: of each lane by itself
  load,
  store,
  atomic,
  memory_action, // with an action that its full name finds (emulator/decode/instruction_set.hpp)
  store_async,   // to a block of the cluster, with a barrier that is told of it
  texture,
  surface,
  copy,      // of 4 to 16 bytes by each lane, from global to shared memory, asynchronous
  bulk_copy, // of a whole piece or tile by one lane
  copy_step, // groups of copies, and what waits for them
  shuffle,
  vote, // whatever else lanes of a warp tell each other
  matrix_load,
  matrix_store,
  matrix,      // a product
  matrix_step, // groups of products, and what waits for them
  barrier,     // of a warp, a block, a cluster
  mbarrier,    // an object in shared memory
  fence,
  branch,
  call,
  leave, // ret, exit, trap
  hint,
};

enum class Results : std::uint8_t { none, first, added };

enum class In : std::uint8_t { none, named, shared, texture, several };

enum class Orders : std::uint8_t {
  nothing,
  memory,   // accesses before it and after it
  threads,  // what those did that came to it
  phases,   // what those did that arrived, for those that wait
  copies,   // what the copies wrote
  products, // registers and tiles of products
  proxies,  // ordinary accesses and asynchronous ones
};

// How a value travels: to the results from …
enum class Flow : std::uint8_t {
  none,
  compute, // the sources of the same lane
  carry,   // and its carry flag
  select,  // one of two sources, which a predicate chooses
  load,    // memory
  store,   // and from a register to memory
  atomic,  // both
  load_rows,
  store_rows, // pieces of rows that lanes point to: any lane may have any
  load_tile,
  store_tile, // as load and store; which register has which number the hardware chooses
  copy,       // memory to memory
  later,      // likewise, in pieces that are known when it is executed
  shuffle,
  vote,
  product, // all sources of all lanes
};

struct Row {
  Opcode opcode = Opcode::unknown;
  std::string_view name; // "cp.async.ca"
  Class kind = Class::unknown;
  Results results = Results::first;
  In memory = In::none;
  Orders orders = Orders::nothing;
  Flow flow = Flow::compute;

  bool is_known() const { return opcode != Opcode::unknown; }
  // Whether what follows may not be next: a basic block ends behind it.
  bool ends_block() const { return kind == Class::branch || kind == Class::leave; }
};

inline constexpr Row kUnknown; // of an instruction that has no row

// All rows, as they stand in the table; Row::opcode is 1 for the first.
std::span<const Row> instructions();
// The row of an instruction, or kUnknown. Rows live as long as the program.
const Row& row_of(std::string_view opcode, std::span<const std::string> modifiers);

} // namespace course::ptx
