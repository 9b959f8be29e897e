#include "device/emulator/execute/atomics.hpp"

#include "device/emulator/check/late_stores.hpp"
#include "device/emulator/check/note_access.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/floats.hpp"
#include "device/emulator/execute/halves.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/remote_memory.hpp"

#include <map>

namespace course::emulator {
namespace {

template <typename T>
T as(u64 bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<u32>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}
template <typename T>
u64 bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<u32>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<u64>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

template <typename T>
u64 add(u64 old, u64 operand, u64) {
  if constexpr (std::is_floating_point_v<T>) {
    return bits_of(canonical(as<T>(old) + as<T>(operand)));
  } else {
    return bits_of(static_cast<T>(old + operand));
  }
}
u64 add_flushed(u64 old, u64 operand, u64) {
  return bits_of(flushed(canonical(flushed(as<float>(old)) + flushed(as<float>(operand)))));
}
template <typename T>
u64 minimum_of(u64 old, u64 operand, u64) {
  return as<T>(operand) < as<T>(old) ? operand : old;
}
template <typename T>
u64 maximum_of(u64 old, u64 operand, u64) {
  return as<T>(operand) > as<T>(old) ? operand : old;
}
u64 and_of(u64 old, u64 operand, u64) {
  return old & operand;
}
u64 or_of(u64 old, u64 operand, u64) {
  return old | operand;
}
u64 xor_of(u64 old, u64 operand, u64) {
  return old ^ operand;
}
u64 exchange(u64, u64 operand, u64) {
  return operand;
}
u64 compare_and_swap(u64 old, u64 operand, u64 with) {
  return old == operand ? with : old;
}
u64 increment(u64 old, u64 operand, u64) {
  return old >= operand ? 0 : old + 1;
}
u64 decrement(u64 old, u64 operand, u64) {
  return old == 0 || old > operand ? operand : old - 1;
}
template <typename Format>
u64 add_half(u64 old, u64 operand, u64) {
  return Format::rounded(Format::value(static_cast<u16>(old)) +
                         Format::value(static_cast<u16>(operand)));
}
template <typename Format>
u64 add_pair(u64 old, u64 operand, u64) {
  return add_half<Format>(old & 0xffff, operand & 0xffff, 0) |
         add_half<Format>(old >> 16, operand >> 16, 0) << 16;
}

struct Named {
  Combine combine;
  bool ordered;
};
const std::map<std::string, Named>& operations() {
  static const std::map<std::string, Named> all = {
      {"add.u32", {add<u32>, false}},
      {"add.s32", {add<s32>, false}},
      {"add.u64", {add<u64>, false}},
      {"add.s64", {add<s64>, false}},
      {"add.f32", {add<float>, true}},
      {"add.f64", {add<double>, true}},
      {"add.noftz.f16", {add_half<F16>, true}},
      {"add.noftz.f16x2", {add_pair<F16>, true}},
      {"add.noftz.bf16", {add_half<Bf16>, true}},
      {"add.noftz.bf16x2", {add_pair<Bf16>, true}},
      {"min.u32", {minimum_of<u32>, false}},
      {"min.s32", {minimum_of<s32>, false}},
      {"min.u64", {minimum_of<u64>, false}},
      {"min.s64", {minimum_of<s64>, false}},
      {"max.u32", {maximum_of<u32>, false}},
      {"max.s32", {maximum_of<s32>, false}},
      {"max.u64", {maximum_of<u64>, false}},
      {"max.s64", {maximum_of<s64>, false}},
      {"and.b32", {and_of, false}},
      {"and.b64", {and_of, false}},
      {"or.b32", {or_of, false}},
      {"or.b64", {or_of, false}},
      {"xor.b32", {xor_of, false}},
      {"xor.b64", {xor_of, false}},
      {"exch.b32", {exchange, true}},
      {"exch.b64", {exchange, true}},
      {"cas.b16", {compare_and_swap, true}},
      {"cas.b32", {compare_and_swap, true}},
      {"cas.b64", {compare_and_swap, true}},
      {"inc.u32", {increment, false}},
      {"dec.u32", {decrement, false}},
  };
  return all;
}

// One lane's turn. Blocks run in parallel, so global memory needs the host's own atomics.
template <typename T>
T turn_on_host(std::byte* place, Combine combine, u64 operand, u64 with) {
  T* word = reinterpret_cast<T*>(place);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  T next = 0;
  do {
    next = static_cast<T>(combine(old, operand, with));
  } while (
      !__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return old;
}
template <typename T>
T turn_in_block(std::byte* place, Combine combine, u64 operand, u64 with) {
  T old;
  std::memcpy(&old, place, sizeof(T));
  const T next = static_cast<T>(combine(old, operand, with));
  std::memcpy(place, &next, sizeof(T));
  return old;
}

// Lanes take their turns in order, or in any. value[0] is the result, value[1] and value[2] the
// operands.
template <typename T, typename Turn>
void take_turns(Warp& warp, const MemoryOperand& access, u32 mask, Turn&& turn) {
  const T* operand = lanes_at<const T>(warp.frame, access.value[1]);
  const T* with = lanes_at<const T>(warp.frame, access.value[2]);
  T* result = lanes_at<T>(warp.frame, access.value[0]);
  const auto take = [&](int lane) {
    const T old = turn(lane, operand[lane], with[lane]);
    if (access.returns) result[lane] = old;
  };
  if (Liberties* liberties = warp.block->launch->liberties) [[unlikely]] {
    for (const std::uint8_t lane : liberties->lanes())
      if (mask & kLaneBit[lane]) take(lane);
    return;
  }
  for (u32 left = mask; left; left &= left - 1) take(std::countr_zero(left));
}

// What the loop that ptxas makes of an atomic on 64 bits finds in memory, and what it leaves there.
model::LoopValues loop_values(Warp& warp, const MemoryOperand& access, u32 mask,
                              const LaneOffsets& at) {
  model::LoopValues values;
  for (u32 left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(&values.before[lane], warp.block->shared.bytes() + at.of[lane], sizeof(u64));
  }
  const u64* operand = lanes_at<const u64>(warp.frame, access.value[1]);
  values.after = [operand, combine = access.combine](int lane, u64 now) {
    return combine(now, operand[lane], 0);
  };
  for (const Combine only_sometimes :
       {&minimum_of<u64>, &minimum_of<s64>, &maximum_of<u64>, &maximum_of<s64>})
    values.ends_unchanged |= access.combine == only_sometimes;
  return values;
}

template <typename T>
void turns_in_block(Warp& warp, const MemoryOperand& access, u32 mask, std::byte* bytes,
                    const LaneOffsets& at) {
  if (access.combine == static_cast<Combine>(add<T>)) { // by far the most are of counts
    take_turns<T>(warp, access, mask, [&](int lane, T operand, T) {
      T old;
      std::memcpy(&old, bytes + at.of[lane], sizeof(T));
      const T next = static_cast<T>(old + operand);
      std::memcpy(bytes + at.of[lane], &next, sizeof(T));
      return old;
    });
    return;
  }
  take_turns<T>(warp, access, mask, [&](int lane, T operand, T with) {
    return turn_in_block<T>(bytes + at.of[lane], access.combine, operand, with);
  });
}

template <typename T>
void atomic_shared_at(Warp& warp, const MemoryOperand& access, u32 mask, LaneOffsets& at) {
  Block& block = *warp.block;
  warp.touched_atomics = true;
  AccessCounter& counter = counter_of(block, access.id);
  mask = check(warp, access, mask, at, block.shared.layout(), counter);
  if (!mask) return;
  const bool by_values = sizeof(T) == 8 && access.kind == model::RequestKind::shared_atomic_loop;
  if (!by_values) count_shared(counter, access, warp, mask, at);
  u32 uninitialised = 0;
  if (block.checks) uninitialised = note_shared(warp, access, mask, at);
  std::byte* bytes = block.shared.bytes();
  for (u32 left = uninitialised; left; left &= left - 1)
    std::memset(bytes + at.of[std::countr_zero(left)], 0xff, sizeof(T));
  if (by_values) count_loop(counter, access, warp, mask, at, loop_values(warp, access, mask, at));
  if (LateStores* const late = block.launch->late_stores) [[unlikely]] {
    late->begin_change(warp, access, mask, block, at);
    turns_in_block<T>(warp, access, mask, bytes, at);
    late->end_change(access, mask, block, at);
    return;
  }
  turns_in_block<T>(warp, access, mask, bytes, at);
}

// `allocation`: where the lanes are; nullptr: in several.
template <typename T>
void atomic_in(Warp& warp, const MemoryOperand& access, u32 mask, const LaneAddresses& at,
               Allocation* allocation) {
  Block& block = *warp.block;
  const bool reads = order_of(warp, access).reads; // an exchange may be no more than a store
  take_turns<T>(warp, access, mask, [&](int lane, T operand, T with) {
    const u64 address = at.of[lane];
    if (!allocation || !allocation->holds(address, sizeof(T)))
      allocation = block.launch->memory->find(address);
    const u64 offset = address - allocation->base;
    if (allocation->written && block.checks && !allocation->is_written(offset, sizeof(T))) {
      if (reads)
        block.checker->report(device::FindingKind::uninitialised, access.id, kNone, warp,
                              static_cast<u32>(lane), [&] {
                                return unwritten(
                                    Message(Says::updates, allocation->element(offset, sizeof(T))));
                              });
      allocation->set_written(offset, sizeof(T));
    }
    return turn_on_host<T>(allocation->bytes.get() + offset, access.combine, operand, with);
  });
}

// Where all lanes are; nullptr: in several allocations, or some access is wrong.
Allocation* common_allocation(GlobalMemory& memory, const MemoryOperand& access, u32 mask,
                              const LaneAddresses& at) {
  LaneAddresses settled = at;
  settle(settled, mask);
  Allocation* there = memory.find(settled.of[0]);
  return there && !there->read_only && all_inside(settled, *there, access.width()) ? there
                                                                                   : nullptr;
}

template <typename T>
void atomic_global_at(Warp& warp, const MemoryOperand& access, u32 mask, LaneAddresses& at) {
  Block& block = *warp.block;
  warp.touched_atomics = true;
  Allocation* memory = common_allocation(*block.launch->memory, access, mask, at);
  if (!memory) mask = keep_valid(warp, access, mask, at);
  if (!mask) return;
  settle(at, mask);
  count_global(counter_of(block, access.id), access, warp, mask, at);
  if (block.checks && memory) {
    note_global(warp, access, mask, *memory, at);
  } else if (block.checks) {
    for (u32 left = mask; left;) { // those in one allocation together
      Allocation& there = *block.launch->memory->find(at.of[std::countr_zero(left)]);
      u32 lanes = 0;
      for (u32 rest = left; rest; rest &= rest - 1)
        if (there.holds(at.of[std::countr_zero(rest)], sizeof(T))) lanes |= rest & (0u - rest);
      left &= ~lanes;
      note_global(warp, access, lanes, there, at);
    }
  }
  LateStores* late = memory ? block.launch->late_stores : nullptr;
  if (late) late->begin_change(warp, access, mask, *memory, at);
  atomic_in<T>(warp, access, mask, at, memory);
  if (late) late->end_change(access, mask, *memory, at);
}

template <typename T>
void atomic_shared(Warp& warp, const Operation& op, u32 mask) {
  LaneOffsets at;
  point(warp, *op.access, at);
  atomic_shared_at<T>(warp, *op.access, mask, at);
}
template <typename T>
void atomic_global(Warp& warp, const Operation& op, u32 mask) {
  LaneAddresses at;
  point(warp, *op.access, at);
  atomic_global_at<T>(warp, *op.access, mask, at);
}
template <typename T>
void atomic_generic(Warp& warp, const Operation& op, u32 mask) {
  LaneAddresses at;
  point(warp, *op.access, at);
  LaneOffsets offsets;
  u32 shared = 0;
  for (int i = 0; i < kLanes; ++i) {
    offsets.of[i] = static_cast<u32>(at.of[i] - kSharedWindow);
    if (in_window(at.of[i], kSharedWindow)) shared |= kLaneBit[i];
  }
  shared &= mask;
  if (shared && warp.block->cluster) mask &= ~access_remote(warp, *op.access, shared, offsets);
  shared &= mask;
  if (shared) atomic_shared_at<T>(warp, *op.access->shared, shared, offsets);
  if (mask & ~shared) atomic_global_at<T>(warp, *op.access->global, mask & ~shared, at);
}

template <typename T>
void atomic_cluster(Warp& warp, const Operation& op, u32 mask) {
  LaneOffsets at;
  point_in_cluster(warp, *op.access, at);
  mask &= ~access_remote(warp, *op.access, mask, at);
  if (mask) atomic_shared_at<T>(warp, *op.access->shared, mask, at);
}

template <typename T>
Execute of_element(const MemoryOperand& access) {
  if (access.of_cluster) return atomic_cluster<T>;
  switch (access.space) {
  case ptx::Space::shared:
    return atomic_shared<T>;
  case ptx::Space::global:
    return atomic_global<T>;
  case ptx::Space::generic:
    return atomic_generic<T>;
  default:
    return nullptr;
  }
}

} // namespace

Combine combine_operation(const std::string& name, bool& ordered) {
  const auto found = operations().find(name);
  if (found == operations().end()) return nullptr;
  ordered = found->second.ordered;
  return found->second.combine;
}

bool joins_in_any_order(Combine combine) {
  if (combine == increment || combine == decrement) return false;
  for (const auto& [name, operation] : operations())
    if (operation.combine == combine) return !operation.ordered;
  return false;
}

std::vector<std::string> combine_names() {
  std::vector<std::string> names;
  for (const auto& [name, operation] : operations()) names.push_back(name);
  return names;
}

Combine on_global_memory(Combine combine) {
  return combine == add<float> ? add_flushed : combine;
}

void combine_on_host(std::byte* element, std::uint32_t bytes, Combine combine, u64 value) {
  if (bytes == 8)
    turn_on_host<u64>(element, combine, value, 0);
  else if (bytes == 4)
    turn_on_host<u32>(element, combine, value, 0);
  else
    turn_on_host<u16>(element, combine, value, 0);
}

Execute atomic_operation(const MemoryOperand& access) {
  switch (access.element) {
  case 2:
    return of_element<u16>(access);
  case 4:
    return of_element<u32>(access);
  case 8:
    return of_element<u64>(access);
  default:
    return nullptr;
  }
}

} // namespace course::emulator
