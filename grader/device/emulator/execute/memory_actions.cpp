// Instructions of memory with an action of their own (MemoryAction), by full name.
#include "device/emulator/check/note_access.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/execute/lane_access.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace course::emulator {
namespace {

constexpr u32 kDiscarded = 128; // bytes, at a multiple of as many

// Checks are told of it by pieces of the widest access that they know.
void note_discarded(Warp& warp, const MemoryOperand& whole, u32 lane, Allocation& memory,
                    u64 address) {
  MemoryOperand piece = whole;
  piece.element = 16;
  piece.components = 1;
  LaneAddresses at;
  for (u32 done = 0; done < kDiscarded; done += piece.width()) {
    at.of.fill(address + done);
    note_global(warp, piece, 1u << lane, memory, at);
  }
}

// discard.L2: as weak a write as any, of values that nobody knows: whoever reads them before the
// next write reads what nothing has written, where that is kept (Allocation::written). It makes no
// requests that are counted here; what a profiler counts of it was not measured. Source: PTX
// ISA 9.0, discard.
void discard(Warp& warp, const Operation& op, u32 mask) {
  const MemoryOperand& access = *op.access;
  LaneAddresses at;
  point(warp, access, at);
  for (u32 left = keep_valid(warp, access, mask, at); left; left &= left - 1) {
    const u32 lane = lowest(left);
    Allocation& memory = *warp.block->launch->memory->find(at.of[lane]);
    if (warp.block->checks) note_discarded(warp, access, lane, memory, at.of[lane]);
    const u64 offset = at.of[lane] - memory.base;
    std::memset(memory.bytes.get() + offset, 0xff, kDiscarded);
    memory.set_unwritten(offset, kDiscarded);
  }
}

const std::map<std::string, MemoryAction>& actions() {
  // A generic address has to be one of global memory.
  static constexpr MemoryAction kDiscard{discard, ptx::Space::global, Direction::store,
                                         16,      kDiscarded / 16,    "ai"};
  static const std::map<std::string, MemoryAction> all = {{"discard.global.L2", kDiscard},
                                                          {"discard.L2", kDiscard}};
  return all;
}

} // namespace

const MemoryAction* memory_action(const std::string& name) {
  const auto found = actions().find(name);
  return found == actions().end() ? nullptr : &found->second;
}

std::vector<std::string> memory_action_names() {
  std::vector<std::string> names;
  for (const auto& [name, action] : actions()) names.push_back(name);
  return names;
}

} // namespace course::emulator
