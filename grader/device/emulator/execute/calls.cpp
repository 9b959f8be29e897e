// Calls: activations of functions, their frames and stacks.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/local_memory.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {
namespace {

// A warp's frames and stacks together; recursion beyond it ends the kernel.
constexpr std::size_t kMostFrameLines = (64u << 20) / 64;
constexpr std::size_t kMostLocal = 512u << 10; // bytes a thread

} // namespace

std::uint32_t Interpreter::add_activation(Warp& warp, const Code& code, const Split& split) {
  const Activation& caller = warp.activations[split.activation];
  std::size_t end = 0; // behind the last frame in use
  std::uint32_t free = kNone;
  for (std::uint32_t i = 0; i < warp.activations.size(); ++i) {
    const Activation& a = warp.activations[i];
    if (a.lanes)
      end = std::max(end, a.frame + (a.code->frame_bytes + 63) / 64);
    else if (free == kNone)
      free = i;
  }
  const std::size_t lines = (code.frame_bytes + 63) / 64;
  const std::uint32_t local_begin = caller.local_begin + (caller.code->local_bytes + 15) / 16 * 16;
  if (end + lines > kMostFrameLines || local_begin + code.local_bytes > kMostLocal) return kNone;
  if (warp.registers.size() < end + lines) warp.registers.resize((end + lines) * 3 / 2);

  const std::size_t stack = warp.local.size() / kLanes, needed = local_begin + code.local_bytes;
  if (needed > stack) {
    const std::size_t larger = std::min(kMostLocal, std::max(needed, stack * 2));
    warp.local.resize(larger * kLanes);
    warp.local_written.resize(larger * kLanes);
  }
  for (std::size_t offset = local_begin; offset < needed; offset += kLocalPiece)
    for (u32 left = split.lanes; left; left &= left - 1)
      std::fill_n(&warp.local_written[local_place(lowest(left), offset)], kLocalPiece,
                  std::uint8_t{0});

  const Activation made{&code, split.activation, split.at + 1, split.lanes, end, local_begin};
  if (free == kNone) {
    free = static_cast<std::uint32_t>(warp.activations.size());
    warp.activations.push_back(made);
  } else {
    warp.activations[free] = made;
  }
  fill_frame(code, frame_of(warp, free), warp, local_begin);
  return free;
}

// False when the kernel has been ended.
bool Interpreter::call(Warp& warp, Split& split, const Operation& op) {
  const Code& code = *warp.activations[split.activation].code;
  const CallUse& use = code.calls[op.target];
  const Code* callee = use.callee ? launch_.program->code_of(use.callee) : nullptr;
  const u32 first = static_cast<u32>(std::countr_zero(split.lanes));
  if (!use.callee) {
    const u64* address = lanes_at<const u64>(warp.frame, use.address);
    u32 others = 0;
    for (u32 left = split.lanes; left; left &= left - 1)
      if (address[std::countr_zero(left)] != address[first]) others |= left & (0u - left);
    // Lanes that call another function do so when their turn comes.
    if (others) diverge(warp, split, split.at + 1, split.at, others);
    callee = launch_.program->at_address(address[first]);
  }
  if (!callee) {
    block_.checker->fail(device::FindingKind::trap, line_at(warp, split.activation, split.at), warp,
                         first, Message(Says::calls_no_function));
    return false;
  }
  if (callee->argument_areas.size() != use.arguments.size() ||
      callee->result_areas.size() != use.results.size()) {
    block_.checker->fail(device::FindingKind::trap, line_at(warp, split.activation, split.at), warp,
                         first, Message(Says::calls_with_other_parameters, callee->shown));
    return false;
  }
  const std::uint32_t activation = add_activation(warp, *callee, split);
  if (activation == kNone) {
    block_.checker->fail(device::FindingKind::stack, line_at(warp, split.activation, split.at),
                         warp, first, Message(Says::stack_is_full, callee->shown));
    return false;
  }
  std::byte* from = frame_of(warp, split.activation);
  std::byte* to = frame_of(warp, activation);
  for (std::size_t i = 0; i < use.arguments.size(); ++i) {
    const CallUse::Copy& mine = use.arguments[i];
    const CallUse::Copy& theirs = callee->argument_areas[i];
    const u32 bytes = std::min(mine.bytes, theirs.bytes);
    for (u32 left = split.lanes; left; left &= left - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(left));
      std::memcpy(to + theirs.area + lane * theirs.bytes, from + mine.area + lane * mine.bytes,
                  bytes);
    }
  }
  if (launch_.ways) launch_.ways->call(warp, split.activation, activation, use, *callee);
  if (warp.watched && block_.checker->undefined)
    block_.checker->undefined->call(warp, warp.activations[split.activation],
                                    warp.activations[activation], use);
  follow_unwritten(warp, *callee, warp.activations[activation].frame, split.lanes);
  split.activation = activation;
  split.at = 0;
  return true;
}

void Interpreter::leave(Warp& warp, Split& split) {
  Activation& mine = warp.activations[split.activation];
  const Activation& caller = warp.activations[mine.caller];
  const Operation& op = caller.code->operations[mine.return_to - 1];
  const CallUse& use = caller.code->calls[op.target];
  std::byte* from = frame_of(warp, split.activation);
  std::byte* to = frame_of(warp, mine.caller);
  for (std::size_t i = 0; i < use.results.size(); ++i) {
    const CallUse::Copy& mine_area = mine.code->result_areas[i];
    const CallUse::Copy& theirs = use.results[i];
    const u32 bytes = std::min(mine_area.bytes, theirs.bytes);
    for (u32 left = split.lanes; left; left &= left - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(left));
      std::memcpy(to + theirs.area + lane * theirs.bytes,
                  from + mine_area.area + lane * mine_area.bytes, bytes);
    }
  }
  if (launch_.ways) launch_.ways->leave(warp, split.activation, mine.caller, use, *mine.code);
  if (warp.watched && block_.checker->undefined)
    block_.checker->undefined->leave(warp, mine, caller, use, split.lanes);
  mine.lanes &= ~split.lanes;
  split.at = mine.return_to;
  split.activation = mine.caller;
}

} // namespace course::emulator
