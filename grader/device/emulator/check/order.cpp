#include "device/emulator/check/order.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/late_stores.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/fences.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>
#include <bit>

namespace course::emulator {
Known BlockOrder::of_all() const {
  Known known = all_.seen;
  for (const auto& [thread, clock] : own_) known = join(known, clock.seen);
  return known;
}

void BlockOrder::barrier() {
  for (const auto& [thread, clock] : own_) all_.add(clock);
  own_.clear();
}

// Those from `first` up to `end` that are wanted.
template <typename Wanted>
void BlockOrder::meet_those(u32 first, u32 end, Wanted&& wanted) {
  Clock joint = all_;
  bool any = false;
  for (auto each = own_.lower_bound(first); each != own_.end() && each->first < end; ++each) {
    if (!wanted(each->first)) continue;
    joint.add(each->second);
    any = true;
  }
  if (!any) return;
  for (u32 thread = first; thread < end; ++thread)
    if (wanted(thread)) own_.insert_or_assign(thread, joint);
}

void BlockOrder::meet(std::uint32_t warp, std::uint32_t lanes) {
  if (own_.empty()) return;
  meet_those(warp * kLanes, (warp + 1) * kLanes,
             [=](u32 thread) { return (lanes >> thread % kLanes & 1) != 0; });
}

void BlockOrder::meet(std::uint32_t warps) {
  if (own_.empty()) return;
  meet_those(0, kLanes * kLanes, [=](u32 thread) { return (warps >> thread / kLanes & 1) != 0; });
}

void BlockOrder::tell(std::uint32_t warp, const Knowledge& knowledge) {
  auto& stamps = told_[warp];
  stamps.resize(kLanes * kLanes);
  const auto raise = [](u32& stamp, u32 to) { stamp = std::max(stamp, to); };
  if (knowledge.all > 0)
    for (u32& stamp : stamps) raise(stamp, knowledge.all);
  for (const auto& [other, stamp] : knowledge.warps)
    for (u32 lane = 0; lane < kLanes; ++lane) raise(stamps[other * kLanes + lane], stamp);
  for (const auto& [thread, stamp] : knowledge.threads) raise(stamps[thread], stamp);
}

namespace {

// All that has happened before a lane, its own accesses included.
Known up_to_here(Warp& warp, u32 lane) {
  Block& block = *warp.block;
  const Known& seen = block.checker->order.of(warp.index * kLanes + lane).seen;
  return with(seen, block.linear, block.checker->shadow.knowledge(warp, lane));
}

} // namespace

const MemoryOrder& order_of(const Warp& warp, const MemoryOperand& access) {
  return warp.block->launch->program->sites()[access.id].order;
}

void fence_memory(Warp& warp, const Operation& op, std::uint32_t mask) {
  const auto scope = static_cast<Scope>(op.immediate & ~kInOneOrder);
  Block& block = *warp.block;
  // As of accesses (synchronise): the scope of a cluster of several blocks is more than the block.
  const bool device =
      scope == Scope::device || (scope == Scope::cluster && block.launch->cluster.count() > 1);
  if (!block.checker->order.active() || !block.checks) return;
  block.checker->shadow.next_step(warp);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    Clock& clock = block.checker->order.own(warp.index * kLanes + lane);
    if (clock.found_block) clock.seen = join(clock.seen, clock.found_block);
    if (clock.found_device && device) clock.seen = join(clock.seen, clock.found_device);
    const Known here = up_to_here(warp, lane);
    clock.fenced_block = here;
    if (device) clock.fenced_device = here;
  }
  if (LateStores* late = block.launch->late_stores; late && (op.immediate & kInOneOrder))
    late->fence(warp, mask, passed_by(warp, mask).seen, device);
}

Passed passed_by(Warp& warp, std::uint32_t lanes) {
  Block& block = *warp.block;
  const Shadow& shadow = block.checker->shadow;
  Passed passed;
  Knowledge own;
  for (u32 left = lanes; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const Clock& clock = block.checker->order.of(warp.index * kLanes + lane);
    passed.add({clock.seen, clock.proxied, clock.proxied_global, clock.made});
    // Of all lanes of a warp, their warp stands for them.
    if (lanes != kAllLanes || left == lanes) own.add(shadow.knowledge(warp, lane));
  }
  if (lanes == kAllLanes) {
    Knowledge all_lanes;
    all_lanes.warps.push_back({warp.index, warp.stamp});
    own.add(all_lanes);
  }
  passed.seen = with(passed.seen, block.linear, own);
  return passed;
}

Known with_thread(Known known, Warp& warp, std::uint32_t lane) {
  Block& block = *warp.block;
  block.checker->shadow.next_step(warp);
  Knowledge own;
  own.threads.push_back({warp.index * kLanes + lane, warp.stamp});
  return with(std::move(known), block.linear, own);
}

void take_over(Warp& warp, std::uint32_t lanes, const Passed& passed) {
  Block& block = *warp.block;
  if (!passed.seen && !passed.proxied && !passed.proxied_global && !passed.made) return;
  // Lanes of a warp mostly know the same, and go on knowing the same.
  Passed last, joined;
  for (u32 left = lanes; left; left &= left - 1) {
    Clock& clock =
        block.checker->order.own(warp.index * kLanes + static_cast<u32>(std::countr_zero(left)));
    const Passed known{clock.seen, clock.proxied, clock.proxied_global, clock.made};
    if (left == lanes || known != last) {
      last = joined = known;
      joined.add(passed);
    }
    clock.seen = joined.seen;
    clock.proxied = joined.proxied;
    clock.proxied_global = joined.proxied_global;
    clock.made = joined.made;
  }
  if (lanes != warp.lanes || !block.checker->order.active()) return;
  if (const Knowledge* here = of_block(passed.seen, block.linear))
    block.checker->order.tell(warp.index, *here);
}

void fence_proxies(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  if (!block.checker->order.active() || !block.checks) return;
  block.checker->shadow.next_step(warp);
  const Known here = passed_by(warp, mask).seen;
  for (u32 left = mask; left; left &= left - 1) {
    Clock& clock =
        block.checker->order.own(warp.index * kLanes + static_cast<u32>(std::countr_zero(left)));
    if (op.immediate & kFencesShared) clock.proxied = join(clock.proxied, here);
    if (op.immediate & kFencesGlobal) clock.proxied_global = join(clock.proxied_global, here);
  }
}

void fence_barriers(Warp& warp, const Operation&, std::uint32_t mask) {
  Block& block = *warp.block;
  if (!block.checker->order.active() || !block.checks) return;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    Clock& clock = block.checker->order.own(warp.index * kLanes + lane);
    clock.made = with_thread(std::move(clock.made), warp, lane);
  }
}

void synchronise(Warp& warp, const MemoryOperand& access, std::uint32_t lane, Released& place) {
  Block& block = *warp.block;
  const u32 thread = warp.index * kLanes + lane;
  const MemoryOrder& order = order_of(warp, access);
  // The scope of a cluster is more than the block only where there are several in it.
  const bool device =
      order.scope == Scope::device || (order.cluster && block.launch->cluster.count() > 1);
  const bool atomic = access.direction == Direction::atomic;
  Known taken_from_block, taken_from_device;
  if (access.direction == Direction::load || (atomic && access.returns)) {
    if (place.block == block.linear && !(device && place.whole)) taken_from_block = place.to_block;
    if (device) taken_from_device = place.to_device;
  }
  if (access.direction != Direction::load) {
    const Clock& clock = block.checker->order.of(thread);
    Known to_block = clock.fenced_block, to_device = clock.fenced_device;
    if (order.releases) {
      block.checker->shadow.next_step(warp);
      to_block = up_to_here(warp, lane);
      if (device) to_device = to_block;
    }
    // A store puts an end to what others released there; an atomic goes on with it.
    const std::uint64_t me = block.linear * block.launch->threads() + thread + 1;
    if (!atomic && place.by == me) to_device = join(to_device, place.to_device);
    if (!device) to_device = nullptr;
    const bool goes_on = place.block == block.linear && (atomic || place.by == me);
    const bool whole = to_block == to_device;
    place.block = block.linear;
    place.by = !atomic || place.by == me ? me : 0;
    place.whole = whole && (place.whole || !goes_on);
    place.to_block = goes_on ? join(place.to_block, to_block) : to_block;
    const Known& seen = clock.seen;
    if (atomic && device && order.releases && place.chain && seen && seen->chain == place.chain) {
      // All but the thread's own comes from this place: no need to look at it.
      go_on(place,
            with(place.to_device, block.linear, block.checker->shadow.knowledge(warp, lane)));
    } else if (atomic) {
      go_on(place, join(place.to_device, to_device));
    } else {
      place.to_device = to_device;
      place.chain = place.step = 0;
    }
  }
  if (taken_from_block || taken_from_device) {
    Clock& clock = block.checker->order.own(thread);
    if (block.launch->strict_acquires && !order.acquires) {
      clock.found_block = join(clock.found_block, taken_from_block);
      clock.found_device = join(clock.found_device, taken_from_device);
    } else {
      clock.seen = join(clock.seen, join(taken_from_block, taken_from_device));
    }
  }
}

} // namespace course::emulator
