// Decoding of bulk copies: cp.async.bulk and cp.reduce.async.bulk in one dimension.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/instruction_set.hpp"

#include <algorithm>

namespace course::emulator {

void Decoder::bulk_copy(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  const bool reduces = modifiers.take("reduce");
  modifiers.take_any({"async", "bulk"});
  if (modifiers.take("tensor")) {
    if (reduces) refuse(instruction, "a reduction by a tensor map is not available");
    return tensor_transfer(instruction, modifiers);
  }
  bulk_transfer(instruction, modifiers, reduces);
}

void Decoder::bulk_step(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  modifiers.take_any({"async", "bulk", "commit_group", "wait_group"});
  const bool waits = instruction.row->orders == ptx::Orders::copies;
  const bool until_read = waits && modifiers.take("read");
  if (modifiers.left() || instruction.operands.size() != (waits ? 1 : 0)) refuse(instruction);
  if (!waits) {
    add(commit_bulk_copies);
    return;
  }
  const auto count =
      std::min<std::uint64_t>(number(instruction, instruction.operands[0]), 1u << 30);
  Operation& op = add(wait_for_bulk_copies);
  op.immediate = static_cast<std::uint32_t>(count);
  op.target = until_read;
}

namespace {

// The names of both sides are modifiers of their own: the first is where the bytes go.
bool goes_to_global(const ptx::Instruction& instruction) {
  const auto& all = instruction.modifiers;
  const auto global = std::find(all.begin(), all.end(), "global");
  const auto shared = std::find_if(
      all.begin(), all.end(), [](const std::string& name) { return name.starts_with("shared"); });
  return global < shared;
}

} // namespace

void Decoder::bulk_transfer(const Instruction& instruction, Modifiers& modifiers, bool reduces) {
  const auto& operands = instruction.operands;
  const bool out = goes_to_global(instruction);
  const bool global = modifiers.take("global");
  const bool to_cluster = modifiers.take("shared::cluster");
  const bool in_block = modifiers.take("shared::cta");
  if ((!global && !(to_cluster && in_block)) || (!to_cluster && !in_block)) refuse(instruction);
  const bool multicast = modifiers.take("multicast::cluster");
  if (!global && reduces)
    refuse(instruction, "a reduction in another block's shared memory is not available");
  if (modifiers.take("cp_mask")) refuse(instruction, "a copy of single bytes is not available");
  modifiers.take("L2::cache_hint");
  if (!modifiers.take(out ? "bulk_group" : "mbarrier::complete_tx::bytes")) refuse(instruction);

  MemoryOperand other; // that is not what shared memory gets or gives
  if (!global) other.space = ptx::Space::shared;
  other.direction = out ? Direction::store : Direction::load;
  other.kind = out ? model::RequestKind::global_store : model::RequestKind::global_load;
  other.reported = {
      out ? model::RequestKind::bulk_global_store : model::RequestKind::bulk_global_load, 0};
  std::uint32_t element = 0;
  if (reduces) {
    const auto type = modifiers.take_type();
    std::string operation;
    for (const char* name : {"add", "min", "max", "and", "or", "xor", "inc", "dec"})
      if (modifiers.take(name)) operation = name;
    if (modifiers.take("noftz")) operation += ".noftz";
    bool ordered = false;
    if (type && out)
      other.combine = combine_operation(operation + "." + instruction.modifiers.back(), ordered);
    if (!other.combine) refuse(instruction);
    other.combine = on_global_memory(other.combine);
    other.direction = Direction::atomic;
    code_->ordered_atomics = code_->ordered_atomics || ordered;
    element = ptx::size_of(*type);
  }
  if (!global) {
    other.kind = model::RequestKind::shared_load;
    other.reported = {model::RequestKind::bulk_dshared_store, 0};
    other.counted_width = 0;
  }
  if (modifiers.left() || operands.size() < (out ? 3u : multicast ? 5u : 4u)) refuse(instruction);
  const auto* to = std::get_if<ptx::Memory>(&operands[0].value);
  const auto* from = std::get_if<ptx::Memory>(&operands[1].value);
  if (!to || !from) refuse(instruction);

  other.element = kBulkChunk;
  if (global) other.counted_width = kBulkChunk;
  other.value[0] = sink(kBulkChunk);
  other.asynchronous = true;
  point(instruction, other, out ? *to : *from);
  MemoryOperand side;
  side.space = ptx::Space::shared;
  side.direction = out ? Direction::load : Direction::store;
  side.element = kBulkChunk;
  side.counted_width = 0; // no wavefront of shared memory is counted
  side.kind = out ? model::RequestKind::shared_load : model::RequestKind::cp_async;
  side.value[0] = sink(kBulkChunk);
  side.asynchronous = true;
  point(instruction, side, out ? *from : *to);
  if (!out) {
    const MemoryOperand barrier = barrier_access(instruction, operands[3], ptx::Space::shared);
    side.barrier = keep_access(instruction, barrier);
  }
  code_->has_memory_barriers = true;
  const Slot size = source(instruction, operands[2], 4);
  const Slot ranks = multicast ? source(instruction, operands[4], 2) : Slot{0};
  (global ? side.global : side.shared) = keep_access(instruction, other);
  const MemoryOperand* kept = keep_access(instruction, side);
  Operation& op = add(out ? bulk_copy_out : bulk_copy_in);
  op.access = kept;
  op.slot[1] = size;
  op.slot[2] = ranks;
  op.immediate = element;
}

// [to], [map, {coordinates}], [barrier]; or [map, {coordinates}], [from].
void Decoder::tensor_transfer(const Instruction& instruction, Modifiers& modifiers) {
  const auto& operands = instruction.operands;
  const bool out = goes_to_global(instruction);
  std::uint32_t rank = 0;
  for (std::uint32_t d = 1; d <= 5; ++d)
    if (modifiers.take(std::to_string(d) + "d")) rank = d;
  modifiers.take_any({"global", "shared::cluster", "shared::cta", "tile", "L2::cache_hint"});
  const bool multicast = modifiers.take("multicast::cluster");
  if (!modifiers.take(out ? "bulk_group" : "mbarrier::complete_tx::bytes") || modifiers.left() ||
      rank == 0 ||
      operands.size() < (out         ? 2u
                         : multicast ? 4u
                                     : 3u))
    refuse(instruction);
  const auto* map = std::get_if<ptx::Memory>(&operands[out ? 0 : 1].value);
  const auto* shared = std::get_if<ptx::Memory>(&operands[out ? 1 : 0].value);
  if (!map || !shared || map->coordinates.size() != rank) refuse(instruction);

  MemoryOperand tensor; // where the map is; what it leads to is accessed in chunks
  tensor.direction = out ? Direction::store : Direction::load;
  tensor.kind = out ? model::RequestKind::global_store : model::RequestKind::global_load;
  tensor.reported = {
      out ? model::RequestKind::tensor_global_store : model::RequestKind::tensor_global_load, 0};
  tensor.element = tensor.counted_width = kBulkChunk;
  tensor.value[0] = sink(kBulkChunk);
  tensor.asynchronous = true;
  ptx::Memory at = *map;
  at.coordinates.clear();
  point(instruction, tensor, at);
  MemoryOperand side;
  side.space = ptx::Space::shared;
  side.direction = out ? Direction::load : Direction::store;
  side.element = kBulkChunk;
  side.counted_width = 0; // no wavefront of shared memory is counted
  side.kind = out ? model::RequestKind::shared_load : model::RequestKind::cp_async;
  side.asynchronous = true;
  point(instruction, side, *shared);
  for (std::uint32_t d = 0; d < rank; ++d)
    side.value[d] = source(instruction, map->coordinates[d], 4);
  if (!out)
    side.barrier =
        keep_access(instruction, barrier_access(instruction, operands[2], ptx::Space::shared));
  code_->has_memory_barriers = true;
  const Slot ranks = multicast ? source(instruction, operands[3], 2) : Slot{0};
  side.global = keep_access(instruction, tensor);
  const MemoryOperand* kept = keep_access(instruction, side);
  Operation& op = add(out ? tensor_copy_out : tensor_copy_in);
  op.access = kept;
  op.slot[2] = ranks;
  op.immediate = rank;
}

} // namespace course::emulator
