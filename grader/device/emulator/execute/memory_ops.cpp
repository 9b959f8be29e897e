// Loads and stores. Long, because the memories differ in bounds and checks alone and share the
// rest.
#include "device/emulator/check/late_stores.hpp"
#include "device/emulator/check/note_access.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/stream_races.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/remote_memory.hpp"
#include "device/emulator/state/local_memory.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

// Moves the lanes of one request between registers and bytes, `where(lane)` being a lane's.
template <typename T, typename Where>
[[gnu::always_inline]] inline void load_lanes(Warp& warp, const MemoryOperand& access, u32 mask,
                                              Where&& where) {
  for (int c = 0; c < access.components; ++c) {
    T* value = lanes_at<T>(warp.frame, access.value[static_cast<std::size_t>(c)]);
    if (mask == kAllLanes) {
      for (int i = 0; i < kLanes; ++i)
        std::memcpy(&value[i], where(i) + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
    } else {
      for (u32 left = mask; left; left &= left - 1) {
        const int i = std::countr_zero(left);
        std::memcpy(&value[i], where(i) + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
      }
    }
  }
}
// Of several strong stores to one word, whichever comes last stays.
template <typename T, typename Where>
[[gnu::noinline]] void store_in_any_order(Warp& warp, const MemoryOperand& access, u32 mask,
                                          Liberties& liberties, Where& where) {
  for (const std::uint8_t lane : liberties.lanes()) {
    if (!(mask & kLaneBit[lane])) continue;
    for (int c = 0; c < access.components; ++c)
      std::memcpy(where(lane) + static_cast<std::size_t>(c) * sizeof(T),
                  lanes_at<const T>(warp.frame, access.value[static_cast<std::size_t>(c)]) + lane,
                  sizeof(T));
  }
}
template <typename T, typename Where>
[[gnu::always_inline]] inline void store_lanes(Warp& warp, const MemoryOperand& access, u32 mask,
                                               Where&& where) {
  if (access.strong && warp.block->launch->liberties) [[unlikely]]
    return store_in_any_order<T>(warp, access, mask, *warp.block->launch->liberties, where);
  for (int c = 0; c < access.components; ++c) {
    const T* value = lanes_at<const T>(warp.frame, access.value[static_cast<std::size_t>(c)]);
    for (u32 left = mask; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      std::memcpy(where(i) + static_cast<std::size_t>(c) * sizeof(T), &value[i], sizeof(T));
    }
  }
}

// ---- shared memory

// Two lanes of one instruction have stored to one place: a race, or worth a note if they agree.
// Not of strong stores, of which either may be the last.
[[gnu::noinline]] void check_overwritten(Warp& warp, const MemoryOperand& access, u32 overwritten,
                                         const LaneOffsets& at) {
  if (access.strong) return;
  Block& block = *warp.block;
  for (; overwritten; overwritten &= overwritten - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(overwritten));
    bool same = true;
    for (std::size_t c = 0; c < access.components; ++c) {
      const std::byte* mine = warp.frame + access.value[c] + lane * access.element;
      const std::byte* there = block.shared.bytes() + at.of[lane] + c * access.element;
      same = same && std::memcmp(mine, there, access.element) == 0;
    }
    block.checker->report(
        same ? device::FindingKind::same_value : device::FindingKind::race, access.id, access.id,
        warp, lane,
        [&] {
          return Message(
              same ? Says::same_value_at_once : Says::other_value_at_once,
              Message(Says::writes, block.shared.layout().describe(at.of[lane], access.width())));
        },
        device::Meeting::one_instruction);
  }
}

template <typename T>
[[gnu::always_inline]] inline void load_shared_at(Warp& warp, const MemoryOperand& access, u32 mask,
                                                  LaneOffsets& at) {
  Block& block = *warp.block;
  AccessCounter& counter = counter_of(block, access.id);
  mask = check(warp, access, mask, at, block.shared.layout(), counter);
  if (!mask) return;
  count_shared(counter, access, warp, mask, at);
  u32 uninitialised = 0;
  if (block.checks) uninitialised = note_shared(warp, access, mask, at, true);
  const std::byte* bytes = block.shared.bytes();
  if (access.components == 1 && mask == kAllLanes && neighbours(at, sizeof(T)))
    std::memcpy(warp.frame + access.value[0], bytes + at.of[0], kLanes * sizeof(T));
  else
    load_lanes<T>(warp, access, mask, [&](int i) { return bytes + at.of[i]; });
  if (access.strong && block.launch->late_stores) [[unlikely]]
    block.launch->late_stores->load(warp, access, mask, block, at);
  if (uninitialised) [[unlikely]]
    block.checker->undefined_values().load_shared(warp, access, uninitialised, at);
}

template <typename T>
[[gnu::always_inline]] inline void store_shared_at(Warp& warp, const MemoryOperand& access,
                                                   u32 mask, LaneOffsets& at) {
  Block& block = *warp.block;
  AccessCounter& counter = counter_of(block, access.id);
  mask = check(warp, access, mask, at, block.shared.layout(), counter);
  if (!mask) return;
  count_shared(counter, access, warp, mask, at);
  u32 overwritten = 0;
  if (block.checks) overwritten = note_shared(warp, access, mask, at, true);
  std::byte* bytes = block.shared.bytes();
  const auto put = [&] {
    if (access.components == 1 && mask == kAllLanes && neighbours(at, sizeof(T)))
      std::memcpy(bytes + at.of[0], warp.frame + access.value[0], kLanes * sizeof(T));
    else
      store_lanes<T>(warp, access, mask, [&](int i) { return bytes + at.of[i]; });
  };
  LateStores* const late = block.launch->late_stores;
  if (access.strong && late) [[unlikely]] {
    late->begin_change(warp, access, mask, block, at);
    put();
    late->end_change(access, mask, block, at);
  } else {
    put();
  }
  if (overwritten) [[unlikely]]
    check_overwritten(warp, access, overwritten, at);
  if (warp.watched && block.checker->undefined) [[unlikely]]
    block.checker->undefined->store_shared(warp, access, mask, at);
}

template <typename T>
struct LoadShared {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point(warp, access, at);
    load_shared_at<T>(warp, access, mask, at);
  }
};
template <typename T>
struct StoreShared {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point(warp, access, at);
    store_shared_at<T>(warp, access, mask, at);
  }
};

// ---- global memory

[[gnu::noinline]] void check_written(Warp& warp, const MemoryOperand& access, u32 mask,
                                     const Allocation& memory, const LaneAddresses& at) {
  u32 unwritten = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    if (!memory.is_written(at.of[lane] - memory.base, access.width())) unwritten |= 1u << lane;
  }
  if (unwritten)
    warp.block->checker->undefined_values().load_global(warp, access, unwritten, memory, at);
}

template <typename T>
[[gnu::always_inline]] inline void load_from(Warp& warp, const MemoryOperand& access, u32 mask,
                                             Allocation& memory, const LaneAddresses& at) {
  const std::byte* bytes = memory.bytes.get();
  const u64 base = memory.base;
  const bool packed = mask == kAllLanes && neighbours(at, access.width());
  if (memory.written && warp.block->checks &&
      !(packed && memory.is_written(at.of[0] - base, kLanes * access.width())))
    check_written(warp, access, mask, memory, at);
  if (packed && access.components == 1)
    std::memcpy(warp.frame + access.value[0], bytes + (at.of[0] - base), kLanes * sizeof(T));
  else
    load_lanes<T>(warp, access, mask, [&](int i) { return bytes + (at.of[i] - base); });
}
template <typename T>
[[gnu::always_inline]] inline void store_to(Warp& warp, const MemoryOperand& access, u32 mask,
                                            Allocation& memory, const LaneAddresses& at) {
  std::byte* bytes = memory.bytes.get();
  const u64 base = memory.base;
  const bool packed = mask == kAllLanes && neighbours(at, access.width());
  if (packed && access.components == 1)
    std::memcpy(bytes + (at.of[0] - base), warp.frame + access.value[0], kLanes * sizeof(T));
  else
    store_lanes<T>(warp, access, mask, [&](int i) { return bytes + (at.of[i] - base); });
  if (!memory.written) return;
  if (packed) {
    memory.set_written(at.of[0] - base, kLanes * access.width());
  } else {
    for (u32 left = mask; left; left &= left - 1)
      memory.set_written(at.of[std::countr_zero(left)] - base, access.width());
  }
}

template <typename T, bool kStore>
[[gnu::always_inline]] inline void access_global_at(Warp& warp, const MemoryOperand& access,
                                                    u32 mask, LaneAddresses& at) {
  const auto move = [&](u32 lanes, Allocation & memory) __attribute__((always_inline)) {
    if (warp.block->checks) note_global(warp, access, lanes, memory, at);
    LateStores* late = nullptr;
    if (warp.watched && access.strong) [[unlikely]]
      late = warp.block->launch->late_stores;
    if constexpr (kStore) {
      if (late) late->begin_change(warp, access, lanes, memory, at);
      store_to<T>(warp, access, lanes, memory, at);
      if (late) late->end_change(access, lanes, memory, at);
      if (warp.watched && warp.block->checker->undefined) [[unlikely]]
        warp.block->checker->undefined->store_global(warp, access, lanes, at);
    } else {
      load_from<T>(warp, access, lanes, memory, at);
      if (late) late->load(warp, access, lanes, memory, at);
    }
  };
  Block& block = *warp.block;
  AccessCounter& counter = counter_of(block, access.id);
  if (mask != kAllLanes) settle(at, mask);
  if (!counter.allocation || !all_inside(at, *counter.allocation, access.width())) {
    counter.allocation = block.launch->memory->find(at.of[0]);
    if (!counter.allocation || !all_inside(at, *counter.allocation, access.width()) ||
        (kStore && counter.allocation->read_only)) {
      counter.allocation = nullptr;
      mask = keep_valid(warp, access, mask, at);
      if (!mask) return;
      settle(at, mask);
      count_global(counter, access, warp, mask, at);
      // The lanes are in several allocations: each goes on its own.
      if (at.of[0] >= kHeap) counter.doubtful = true; // a GPU's malloc puts them elsewhere
      for (u32 left = mask; left; left &= left - 1) {
        const u32 lane = static_cast<u32>(std::countr_zero(left));
        move(1u << lane, *block.launch->memory->find(at.of[lane]));
      }
      return;
    }
  }
  count_global(counter, access, warp, mask, at);
  move(mask, *counter.allocation);
}

template <typename T, bool kStore>
struct Global {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneAddresses at;
    point(warp, access, at);
    access_global_at<T, kStore>(warp, access, mask, at);
  }
};

// ---- constant memory

template <typename T>
[[gnu::always_inline]] inline void load_constant_at(Warp& warp, const MemoryOperand& access,
                                                    u32 mask, LaneOffsets& at) {
  Block& block = *warp.block;
  AccessCounter& counter = counter_of(block, access.id);
  mask = check(warp, access, mask, at, block.launch->program->constant_layout(), counter);
  if (!mask) return;
  if (access.has_base) count_constant(counter, access, warp, mask, at);
  if (block.launch->stream_races) [[unlikely]]
    block.launch->stream_races->note_constant(warp, access, mask, at);
  const std::byte* bytes = block.launch->constants->data();
  load_lanes<T>(warp, access, mask, [&](int i) { return bytes + at.of[i]; });
}
template <typename T>
struct LoadConstant {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point(warp, access, at);
    load_constant_at<T>(warp, access, mask, at);
  }
};

// ---- local memory: each lane's stack

// A lane at a time, where not all are inside: reports those that are not.
[[gnu::noinline]] u32 keep_valid_local(Warp& warp, const MemoryOperand& access, u32 mask, u32 stack,
                                       const LaneOffsets& at) {
  const u32 width = access.width();
  u32 valid = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u32 offset = at.of[lane];
    if (width > stack || offset > stack - width)
      warp.block->checker->report(
          device::FindingKind::out_of_bounds, access.id, kNone, warp, lane,
          [&] { return Message(Says::past_local, what(access), offset, stack); });
    else if (offset & (width - 1))
      warp.block->checker->report(
          device::FindingKind::misaligned, access.id, kNone, warp, lane,
          [&] { return Message(Says::misaligned_local, what(access), offset, width); });
    else
      valid |= 1u << lane;
  }
  if (mask & ~valid) poison(warp, access, mask & ~valid);
  return valid;
}

[[gnu::noinline]] void check_local_written(Warp& warp, const MemoryOperand& access, u32 mask,
                                           const LaneOffsets& at) {
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const std::uint8_t* written = &warp.local_written[local_place(lane, at.of[lane])];
    if (std::any_of(written, written + access.width(),
                    [](std::uint8_t bits) { return bits != 0xff; }))
      warp.block->checker->undefined_values().load_local(warp, access, lane, at.of[lane], written);
  }
}

template <typename T, bool kStore>
[[gnu::always_inline]] inline void access_local_at(Warp& warp, const MemoryOperand& access,
                                                   u32 mask, LaneOffsets& at) {
  const u32 stack = static_cast<u32>(warp.local.size() / kLanes);
  if (mask != kAllLanes) settle(at, mask);
  if (!all_inside(at, 0, stack, access.width())) [[unlikely]]
    mask = keep_valid_local(warp, access, mask, stack, at);
  const bool checks = warp.block->checks;
  std::byte* bytes = warp.local.data();
  std::uint8_t* written = warp.local_written.data();
  static constexpr T kDefined = static_cast<T>(~T{0});
  if constexpr (kStore) {
    const auto place = [&](int i) { return local_place(static_cast<u32>(i), at.of[i]); };
    store_lanes<T>(warp, access, mask, [&](int i) { return bytes + place(i); });
    if (!checks) return;
    for (u32 left = mask; left; left &= left - 1) {
      std::uint8_t* const bits = written + place(std::countr_zero(left));
      for (std::size_t c = 0; c < access.components; ++c)
        std::memcpy(bits + c * sizeof(T), &kDefined, sizeof(T));
    }
    if (warp.watched && warp.block->checker->undefined) [[unlikely]]
      for (u32 left = mask; left; left &= left - 1)
        warp.block->checker->undefined->store_local(warp, access, lowest(left),
                                                    written + place(std::countr_zero(left)));
  } else {
    // What is there and whether it was written are read together: the places are the same.
    T defined = kDefined;
    for (std::size_t c = 0; c < access.components; ++c) {
      T* value = lanes_at<T>(warp.frame, access.value[c]);
      const auto load = [&](int i) __attribute__((always_inline)) {
        const std::size_t place = local_place(static_cast<u32>(i), at.of[i]) + c * sizeof(T);
        T of_one;
        std::memcpy(&of_one, written + place, sizeof(T));
        defined &= of_one;
        std::memcpy(&value[i], bytes + place, sizeof(T));
      };
      if (mask == kAllLanes)
        for (int i = 0; i < kLanes; ++i) load(i);
      else
        for (u32 left = mask; left; left &= left - 1) load(std::countr_zero(left));
    }
    if (checks && defined != kDefined) [[unlikely]]
      check_local_written(warp, access, mask, at);
  }
}
template <typename T, bool kStore>
struct Local {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point(warp, access, at);
    access_local_at<T, kStore>(warp, access, mask, at);
  }
};

// ---- parameters: of a call, in the frame; of the launch, through an address

template <typename T, bool kStore>
struct CallParameter { // the decoder has checked the offset
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    std::byte* area = warp.frame + access.area + access.offset;
    const std::size_t stride = access.area_bytes;
    const auto where = [&](int i) { return area + static_cast<std::size_t>(i) * stride; };
    if constexpr (kStore)
      store_lanes<T>(warp, access, mask, where);
    else
      load_lanes<T>(warp, access, mask, where);
  }
};
template <typename T>
struct LaunchParameter {
  [[gnu::always_inline]] static inline void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point(warp, access, at);
    const device::Bytes& arguments = *warp.block->launch->arguments;
    const u32 width = access.width();
    u32 valid = 0;
    for (u32 left = mask; left; left &= left - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(left));
      if (width <= arguments.size() && at.of[lane] <= arguments.size() - width)
        valid |= 1u << lane;
      else
        warp.block->checker->report(
            device::FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
              return Message(Says::past_parameters, what(access), at.of[lane], arguments.size());
            });
    }
    if (mask & ~valid) poison(warp, access, mask & ~valid);
    if (!valid) return;
    settle(at, valid);
    if (access.has_base)
      count_constant(counter_of(*warp.block, access.id), access, warp, valid, at);
    load_lanes<T>(warp, access, valid, [&](int i) { return arguments.data() + at.of[i]; });
  }
};

// ---- generic addresses

template <typename T, bool kStore>
struct Generic {
  static LaneOffsets within(const LaneAddresses& at, u64 window) {
    LaneOffsets offsets;
    for (int i = 0; i < kLanes; ++i) offsets.of[i] = static_cast<u32>(at.of[i] - window);
    return offsets;
  }
  // Out of line, or the compiler weighs a function of all memories.
  [[gnu::noinline]] static void shared_of_generic(Warp& warp, const MemoryOperand& access, u32 mask,
                                                  LaneOffsets& at) {
    if constexpr (kStore)
      store_shared_at<T>(warp, access, mask, at);
    else
      load_shared_at<T>(warp, access, mask, at);
  }
  [[gnu::noinline]] static void global_of_generic(Warp& warp, const MemoryOperand& access, u32 mask,
                                                  LaneAddresses& at) {
    access_global_at<T, kStore>(warp, access, mask, at);
  }
  static void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneAddresses at;
    point(warp, access, at);
    u32 shared = 0, local = 0, constant = 0;
    for (int i = 0; i < kLanes; ++i) {
      shared |= in_window(at.of[i], kSharedWindow) ? kLaneBit[i] : 0;
      local |= in_window(at.of[i], kLocalWindow) ? kLaneBit[i] : 0;
      constant |= in_window(at.of[i], kConstantWindow) ? kLaneBit[i] : 0;
    }
    shared &= mask;
    local &= mask;
    constant &= mask;
    const u32 global = mask & ~shared & ~local & ~constant;
    if (shared) {
      LaneOffsets offsets = within(at, kSharedWindow);
      if (warp.block->cluster) [[unlikely]]
        shared &= ~access_remote(warp, access, shared, offsets);
      if (shared) shared_of_generic(warp, *access.shared, shared, offsets);
    }
    if (local) {
      LaneOffsets offsets = within(at, kLocalWindow);
      access_local_at<T, kStore>(warp, *access.local, local, offsets);
    }
    if (constant) {
      if constexpr (kStore) {
        warp.block->checker->report(device::FindingKind::read_only, access.id, kNone, warp,
                                    static_cast<u32>(std::countr_zero(constant)),
                                    [&] { return Message(Says::is_to_constant, what(access)); });
      } else {
        LaneOffsets offsets = within(at, kConstantWindow);
        load_constant_at<T>(warp, *access.constant, constant, offsets);
      }
    }
    if (global) global_of_generic(warp, *access.global, global, at);
  }
};

// ---- shared memory of a cluster

template <typename T, bool kStore>
struct ClusterShared {
  static void run(Warp& warp, const MemoryOperand& access, u32 mask) {
    LaneOffsets at;
    point_in_cluster(warp, access, at);
    mask &= ~access_remote(warp, access, mask, at);
    if (mask) Generic<T, kStore>::shared_of_generic(warp, *access.shared, mask, at);
  }
};

template <typename Body>
void any(Warp& warp, const Operation& op, u32 mask) {
  Body::run(warp, *op.access, mask);
}
template <typename Body>
[[COURSE_AVX2]] void avx2(Warp& warp, const Operation& op, u32 mask) {
  Body::run(warp, *op.access, mask);
}
// Two versions of what loops use; 16 bytes at once have few instructions.
template <typename T, typename Body>
Execute best() {
  if constexpr (sizeof(T) == 16)
    return any<Body>;
  else
    return Versions{any<Body>, avx2<Body>}.best();
}

template <typename T>
Execute of_element(const MemoryOperand& access) {
  const bool store = access.direction == Direction::store;
  if (access.of_cluster) return store ? any<ClusterShared<T, true>> : any<ClusterShared<T, false>>;
  switch (access.space) {
  case ptx::Space::shared:
    return store ? best<T, StoreShared<T>>() : best<T, LoadShared<T>>();
  case ptx::Space::global:
    return store ? best<T, Global<T, true>>() : best<T, Global<T, false>>();
  case ptx::Space::constant:
    return store ? nullptr : best<T, LoadConstant<T>>();
  case ptx::Space::local:
    return store ? best<T, Local<T, true>>() : best<T, Local<T, false>>();
  case ptx::Space::param:
    if (access.area_bytes)
      return store ? any<CallParameter<T, true>> : any<CallParameter<T, false>>;
    return store ? nullptr : any<LaunchParameter<T>>;
  case ptx::Space::generic:
    return store ? any<Generic<T, true>> : any<Generic<T, false>>;
  case ptx::Space::reg:
    return nullptr;
  }
  return nullptr;
}

} // namespace

void touch_atomics(Warp& warp, const Operation&, std::uint32_t) {
  warp.touched_atomics = true;
}

void look_at_flag(Warp& warp, const Operation& op, std::uint32_t mask) {
  warp.touched_atomics = true;
  const Launch& launch = *warp.block->launch;
  if (launch.grid_workspace &&
      lanes_at<const u64>(warp.frame, op.slot[0])[std::countr_zero(mask)] == kGridBarrier)
    warp.looked_at_grid = true;
}

Execute memory_operation(const MemoryOperand& access) {
  switch (access.element) {
  case 1:
    return of_element<u8>(access);
  case 2:
    return of_element<u16>(access);
  case 4:
    return of_element<u32>(access);
  case 8:
    return of_element<u64>(access);
  case 16:
    return of_element<unsigned __int128>(access);
  default:
    return nullptr;
  }
}

} // namespace course::emulator
