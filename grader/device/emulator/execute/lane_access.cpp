#include "device/emulator/execute/lane_access.hpp"

#include "device/emulator/check/saying.hpp"

namespace course::emulator {

void poison(Warp& warp, const MemoryOperand& access, u32 lanes) {
  if (access.direction == Direction::store) return;
  const int values =
      access.direction == Direction::atomic ? (access.returns ? 1 : 0) : access.components;
  for (int v = 0; v < values; ++v)
    for (u32 left = lanes; left; left &= left - 1)
      std::memset(warp.frame + access.value[static_cast<std::size_t>(v)] +
                      static_cast<u32>(std::countr_zero(left)) * access.element,
                  0xff, access.element);
}

u32 keep_valid(Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at,
               const Layout& layout) {
  const u32 width = access.width();
  u32 valid = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u32 offset = at.of[lane];
    // As on a GPU, where an access that is both is misaligned.
    if (offset & (width - 1)) {
      warp.block->checker->report(
          device::FindingKind::misaligned, access.id, kNone, warp, lane, [&] {
            return Message(Says::is_misaligned, what(access), layout.describe(offset, 1), width);
          });
    } else if (!layout.inside(layout.array_at(offset), offset, width)) {
      warp.block->checker->report(
          device::FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
            const u32 array = layout.array_at(offset);
            if (!layout.inside(array, offset, 1))
              return Message(Says::access_is, what(access), layout.describe(offset, width));
            return Message(Says::past_array, what(access), layout.describe(offset, 1),
                           Count{layout.arrays()[array].size});
          });
    } else {
      valid |= 1u << lane;
    }
  }
  if (mask & ~valid) poison(warp, access, mask & ~valid);
  return valid;
}

namespace {

// What a load brings from behind an allocation, where a GPU has memory: whatever lies there, which
// is zeros as long as nobody has used it.
void load_zeros(Warp& warp, const MemoryOperand& access, u32 lane) {
  for (int v = 0; v < access.components; ++v)
    std::memset(warp.frame + access.value[static_cast<std::size_t>(v)] + lane * access.element, 0,
                access.element);
}

Message past_end(const MemoryOperand& access, const Allocation* allocation, Message where) {
  if (allocation)
    return Message(Says::past_buffer, what(access), std::move(where), Count{allocation->size});
  const auto is_one_of = [id = where.id](auto... ids) { return ((id == ids) || ...); };
  const Says how = is_one_of(Says::null_pointer, Says::null_pointer_plus)      ? Says::goes_through
                   : is_one_of(Says::nothing_allocated, Says::not_from_malloc) ? Says::access_is_at
                                                                               : Says::access_is;
  return Message(how, what(access), std::move(where));
}

} // namespace

bool is_refused(Warp& warp, const MemoryOperand& access, u32 lane, const Allocation& memory,
                u64 address) {
  if (!memory.read_only || access.direction == Direction::load) return false;
  warp.block->checker->report(device::FindingKind::read_only, access.id, kNone, warp, lane, [&] {
    return Message(Says::is_to_read_only, what(access),
                   memory.element(address - memory.base, access.width()));
  });
  return true;
}

u32 keep_valid(Warp& warp, const MemoryOperand& access, u32 mask, const LaneAddresses& at) {
  const Launch& launch = *warp.block->launch;
  GlobalMemory& memory = *launch.memory;
  const u32 width = access.width();
  const bool may_survive = launch.lenient && access.direction == Direction::load;
  u32 valid = 0, survived = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u64 address = at.of[lane];
    const Allocation* allocation = memory.find(address);
    if (access.direction == Direction::atomic && in_window(address, kLocalWindow)) {
      warp.block->checker->fail(
          device::FindingKind::out_of_bounds, launch.program->sites()[access.id].source, warp, lane,
          Message(Says::in_local_memory, what(access)), {}, &launch.program->sites()[access.id]);
      break;
    }
    if (address & (width - 1)) {
      warp.block->checker->report(
          device::FindingKind::misaligned, access.id, kNone, warp, lane, [&] {
            return Message(Says::is_misaligned, what(access), memory.describe(address), width);
          });
    } else if (allocation && allocation->freed) {
      warp.block->checker->report(
          device::FindingKind::use_after_free, access.id, kNone, warp, lane,
          [&] { return Message(Says::is_in_freed, what(access), allocation->called()); });
    } else if (!allocation || !allocation->holds(address, width)) {
      const bool survives = may_survive && memory.in_padding(address);
      warp.block->checker->report(
          device::FindingKind::out_of_bounds, access.id, survives ? kInPadding : kNone, warp, lane,
          [&] {
            Message said = past_end(access, allocation, memory.describe(address));
            return survives ? Message(Says::survived, std::move(said)) : said;
          });
      survived |= survives ? 1u << lane : 0;
    } else if (!is_refused(warp, access, lane, *allocation, address)) {
      valid |= 1u << lane;
    }
  }
  if (mask & ~valid) poison(warp, access, mask & ~valid);
  for (u32 left = survived; left; left &= left - 1)
    load_zeros(warp, access, static_cast<u32>(std::countr_zero(left)));
  return valid;
}

} // namespace course::emulator
