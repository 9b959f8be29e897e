#include "device/emulator/execute/lane_access.hpp"

#include "device/model/grouped.hpp"

namespace course::emulator {

std::string what(const Access& access) {
  const std::string size =
      (access.width() == 8 ? "an " : "a ") + std::to_string(access.width()) + "-byte ";
  switch (access.direction) {
  case Direction::load:
    return size + "load";
  case Direction::store:
    return size + "store";
  case Direction::atomic:
    return size + "atomic";
  }
  return size;
}

void poison(Warp& warp, const Access& access, u32 lanes) {
  if (access.direction == Direction::store) return;
  const int values =
      access.direction == Direction::atomic ? (access.returns ? 1 : 0) : access.components;
  for (int v = 0; v < values; ++v)
    for (u32 left = lanes; left; left &= left - 1)
      std::memset(warp.frame + access.value[static_cast<std::size_t>(v)] +
                      static_cast<u32>(std::countr_zero(left)) * access.element,
                  0xff, access.element);
}

u32 keep_valid(Warp& warp, const Access& access, u32 mask, const LaneOffsets& at,
               const Layout& layout) {
  const u32 width = access.width();
  u32 valid = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u32 offset = at.of[lane];
    // As on a GPU, where an access that is both is misaligned.
    if (offset & (width - 1)) {
      warp.block->report(device::FindingKind::misaligned, access.id, kNone, warp, lane, [&] {
        return what(access) + " is at " + layout.describe(offset, 1) +
               ", which is no multiple of " + std::to_string(width);
      });
    } else if (!layout.inside(layout.array_at(offset), offset, width)) {
      warp.block->report(device::FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
        const u32 array = layout.array_at(offset);
        if (!layout.inside(array, offset, 1))
          return what(access) + " is " + layout.describe(offset, width);
        return what(access) + " at " + layout.describe(offset, 1) +
               " reaches past the end of its array, of " +
               model::grouped(layout.arrays()[array].size) + " bytes";
      });
    } else {
      valid |= 1u << lane;
    }
  }
  if (mask & ~valid) poison(warp, access, mask & ~valid);
  return valid;
}

u32 keep_valid(Warp& warp, const Access& access, u32 mask, const LaneAddresses& at) {
  GlobalMemory& memory = *warp.block->launch->memory;
  const u32 width = access.width();
  u32 valid = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u64 address = at.of[lane];
    const Allocation* allocation = memory.find(address);
    if (address & (width - 1)) {
      warp.block->report(device::FindingKind::misaligned, access.id, kNone, warp, lane, [&] {
        return what(access) + " is at " + memory.describe(address) + ", which is no multiple of " +
               std::to_string(width);
      });
    } else if (allocation && allocation->freed) {
      warp.block->report(device::FindingKind::use_after_free, access.id, kNone, warp, lane, [&] {
        return what(access) + " is in " + allocation->name + ", which has been freed";
      });
    } else if (!allocation || !allocation->holds(address, width)) {
      warp.block->report(device::FindingKind::out_of_bounds, access.id, kNone, warp, lane, [&] {
        const std::string where = memory.describe(address);
        if (allocation)
          return what(access) + " at " + where + " reaches past the end of its buffer, of " +
                 model::grouped(allocation->size) + " bytes";
        const char* link = where.starts_with("a null") ? " goes through "
                           : where.starts_with("0x")   ? " is at "
                                                       : " is ";
        return what(access) + link + where;
      });
    } else {
      valid |= 1u << lane;
    }
  }
  if (mask & ~valid) poison(warp, access, mask & ~valid);
  return valid;
}

} // namespace course::emulator
