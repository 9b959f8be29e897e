// Operations: what the decoder makes of PTX instructions, ready to execute on 32 lanes at once.
//
// A function's registers live in a frame: for each register its 32 lanes side by side, at a byte
// offset called a slot. A predicate is one 32-bit mask. Special registers and immediates have slots
// too, filled in before execution, so that an operation sees nothing but slots.
#pragma once

#include "device/code/ptx/control_flow.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace course::emulator {

inline constexpr int kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffff;
using ptx::kNowhere; // no operation: "never reconverges"

using Slot = std::uint32_t; // byte offset in a frame; aligned to 64 but for predicates

struct Warp;
struct Operation;
struct MemoryOperand;

// Does the work of the lanes in `mask`, of which there is at least one.
using Action = void(Warp&, const Operation&, std::uint32_t mask);
using Execute = Action*;

enum class OperationKind : std::uint8_t {
  lanes,           // `execute` does it all: arithmetic, memory
  branch,          // to `target`
  indirect_branch, // by an index, through a table
  rendezvous,      // waits for the lanes that its member mask names, then `execute`
  barrier,         // bar.sync, bar.red, bar.arrive
  phase_wait,      // mbarrier.try_wait
  cluster_wait,    // barrier.cluster.wait
  product_wait,    // wgmma.wait_group
  register_wait,   // setmaxnreg.inc
  call,
  leave, // the end of a function: return, or exit of an entry
  exit,
  trap,
};

enum class GuardKind : std::uint8_t { none, if_set, if_clear };

struct Operation {
  Execute execute = nullptr;
  std::array<Slot, 6> slot{}; // result first, then sources in the order of the PTX operands
  const MemoryOperand* access = nullptr; // of a memory operation
  std::uint32_t immediate = 0;         // a number that the operation needs as such: a table, a mode
  std::uint32_t target = 0;            // branch: operation; others: index into a table of Code
  std::uint32_t reconverge = kNowhere; // branch: where diverging lanes meet again
  Slot guard = 0;
  GuardKind guard_kind = GuardKind::none;
  OperationKind kind = OperationKind::lanes;
  bool counted = true;      // false: a second or third operation of the same instruction
  bool tells_order = false; // what it finds or leaves depends on which thread comes first
};

} // namespace course::emulator
