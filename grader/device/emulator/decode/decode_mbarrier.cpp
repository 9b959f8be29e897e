// Decoding of barriers in memory: mbarrier.*, and what tells them of cp.async.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"

#include <algorithm>

namespace course::emulator {

// The 8 bytes of a barrier, as an address in shared memory or a generic one.
MemoryOperand Decoder::barrier_access(const Instruction& instruction, const Operand& operand,
                                      ptx::Space space) {
  const auto* memory = std::get_if<ptx::Memory>(&operand.value);
  if (!memory) refuse(instruction, "it needs the address of a barrier");
  MemoryOperand access;
  access.space = space;
  access.direction = Direction::atomic;
  access.element = 8;
  access.strong = true;
  access.counted_width = 0; // no request to shared memory: it goes by another unit
  access.value[0] = sink(8);
  point(instruction, access, *memory);
  // Without a space the address is a generic one, but for 32 bits and for a variable.
  if (!access.has_base || !access.wide_base) access.space = ptx::Space::shared;
  code_->has_memory_barriers = true;
  return access;
}

namespace {

ptx::Space take_barrier_space(Modifiers& modifiers) {
  return modifiers.take_any({"shared", "shared::cta", "shared::cluster"}) ? ptx::Space::shared
                                                                          : ptx::Space::generic;
}

// An arrival releases and a wait acquires, but where it says .relaxed.
bool take_barrier_order(Modifiers& modifiers) {
  modifiers.take_any({"release", "acquire"});
  const bool relaxed = modifiers.take("relaxed");
  modifiers.take_any({"cta", "cluster"});
  return !relaxed;
}

} // namespace

void Decoder::mbarrier(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  const auto& operands = instruction.operands;
  if (!modifiers.take("b64")) refuse(instruction);
  if (modifiers.take("pending_count")) {
    if (modifiers.left() || operands.size() != 2) refuse(instruction);
    const Slot state = source(instruction, operands[1], 8);
    const Result made = result(instruction, operands[0], 4);
    if (made.wider_bytes) refuse(instruction);
    Operation& op = add(count_pending);
    op.slot[0] = made.slot;
    op.slot[1] = state;
    return;
  }
  if (modifiers.take("arrive")) return barrier_arrival(instruction, modifiers, 0);
  if (modifiers.take("arrive_drop")) return barrier_arrival(instruction, modifiers, kDrops);
  if (modifiers.take("test_wait")) return barrier_test(instruction, modifiers, false);
  if (modifiers.take("try_wait")) return barrier_test(instruction, modifiers, true);

  const bool makes = modifiers.take("init"), ends = modifiers.take("inval");
  const bool expects = modifiers.take("expect_tx"), completes = modifiers.take("complete_tx");
  if (!makes && !ends && !expects && !completes) refuse(instruction);
  take_barrier_order(modifiers);
  const ptx::Space space = take_barrier_space(modifiers);
  if (modifiers.left() || operands.size() != (ends ? 1 : 2)) refuse(instruction);
  MemoryOperand access = barrier_access(instruction, operands[0], space);
  if (makes) access.direction = Direction::store;
  const Slot number = ends ? Slot{0} : source(instruction, operands[1], 4);
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = add(makes     ? initialise_barrier
                      : ends    ? invalidate_barrier
                      : expects ? expect_bytes
                                : complete_bytes);
  op.access = kept;
  op.slot[1] = number;
}

void Decoder::barrier_arrival(const Instruction& instruction, Modifiers& modifiers,
                              std::uint32_t flags) {
  const auto& operands = instruction.operands;
  if (modifiers.take("expect_tx")) flags |= kExpects;
  if (modifiers.take("noComplete")) flags |= kNoComplete;
  if (take_barrier_order(modifiers)) flags |= kReleases;
  const ptx::Space space = take_barrier_space(modifiers);
  const bool counts = operands.size() == 3;
  if (modifiers.left() || (operands.size() != 2 && !counts) || (flags & kExpects && !counts))
    refuse(instruction);
  const MemoryOperand access = barrier_access(instruction, operands[1], space);
  const Slot number = counts ? source(instruction, operands[2], 4) : constant(1, 4);
  const Result state = result(instruction, operands[0], 8);
  if (state.wider_bytes) refuse(instruction);
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = add(arrive_at_barrier);
  op.tells_order = true;
  op.access = kept;
  op.slot[0] = state.slot;
  op.slot[1] = number;
  op.immediate = flags;
}

// `suspends`: the wait may last until the phase is complete. For how long at most is a hint.
void Decoder::barrier_test(const Instruction& instruction, Modifiers& modifiers, bool suspends) {
  const auto& operands = instruction.operands;
  std::uint32_t flags = modifiers.take("parity") ? kParity : 0;
  if (take_barrier_order(modifiers)) flags |= kAcquires;
  const ptx::Space space = take_barrier_space(modifiers);
  if (modifiers.left() || operands.size() < 3 || operands.size() > (suspends ? 4u : 3u))
    refuse(instruction);
  const MemoryOperand access = barrier_access(instruction, operands[1], space);
  const Slot awaited = source(instruction, operands[2], flags & kParity ? 4 : 8);
  const Slot through = predicate(instruction, operands[0]);
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = suspends ? add(nullptr, OperationKind::phase_wait) : add(test_phase);
  code_->tells_order = op.tells_order = true;
  op.access = kept;
  op.slot[0] = through;
  op.slot[2] = awaited;
  op.immediate = flags;
}

// cp.async.mbarrier.arrive: an arrival when the lane's copies so far are there.
void Decoder::arrival_of_copies(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take_any({"async", "mbarrier", "arrive", "b64"});
  const std::uint32_t flags = modifiers.take("noinc") ? 0 : kIncreases;
  const ptx::Space space = take_barrier_space(modifiers);
  if (modifiers.left() || instruction.operands.size() != 1) refuse(instruction);
  const MemoryOperand access = barrier_access(instruction, instruction.operands[0], space);
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = add(arrive_when_copied);
  op.access = kept;
  op.immediate = flags;
}

} // namespace course::emulator
