#include "device/emulator/check/late_stores.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/manners.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <cstring>

namespace course::emulator {
namespace {

constexpr std::size_t kMostChanges = 1 << 16; // that are kept at a time
constexpr std::uint32_t kMostLooks = 3;
constexpr std::uint64_t kOwnDraws = 0x6c617465; // others of the seed draw other things

std::byte* at_address(const Allocation& memory, device::Address address) {
  return memory.bytes.get() + (address - memory.base);
}

} // namespace

LateStores::LateStores(std::uint64_t seed)
    : state_(device::splitmix64(seed ^ kOwnDraws)), always_(seed % device::kManners == 0) {}

std::uint32_t LateStores::draw_looks() {
  const std::uint64_t drawn = device::splitmix64(state_ += device::kSplitmixStep);
  return always_ || drawn % 2 ? 1 + static_cast<std::uint32_t>(drawn / 2 % kMostLooks) : 0;
}

// All but a change of just these bytes: whoever is told of a part of it has seen it.
void LateStores::forget_overlapping(device::Address address, std::uint32_t width) {
  const device::Address widest = Value{}.size();
  for (auto each = changes_.lower_bound(address - std::min(address, widest - 1));
       each != changes_.end() && each->first < address + width;) {
    const bool same = each->first == address && each->second.width == width;
    const bool apart = each->first + each->second.width <= address;
    each = same || apart ? std::next(each) : changes_.erase(each);
  }
}

void LateStores::begin_change(const Warp& warp, const MemoryOperand& access, u32 mask,
                              const Allocation& memory, const LaneAddresses& at) {
  if (memory.base == kGridWorkspace) return; // its barrier is watched for what it counts
  const u32 width = access.width();
  if (width > Value{}.size()) return;
  ++now_;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    const device::Address address = at.of[lane];
    forget_overlapping(address, width);
    const auto found = changes_.find(address);
    if (found != changes_.end() && found->second.when == now_) { // another lane of this one
      found->second.lanes |= 1u << lane;
      continue;
    }
    if (found != changes_.end()) changes_.erase(found);
    const u32 looks = changes_.size() < kMostChanges ? draw_looks() : 0;
    if (!looks) continue;
    Change change{warp.block->linear,
                  record(warp.stamp, access.id, warp.index),
                  1u << lane,
                  width,
                  looks,
                  now_,
                  {},
                  {}};
    std::memcpy(change.before.data(), at_address(memory, address), width);
    changes_.emplace(address, change);
  }
}

void LateStores::end_change(const MemoryOperand& access, u32 mask, const Allocation& memory,
                            const LaneAddresses& at) {
  const u32 width = access.width();
  for (u32 left = mask; left; left &= left - 1) {
    const device::Address address = at.of[lowest(left)];
    const auto found = changes_.find(address);
    if (found == changes_.end() || found->second.when != now_) continue;
    std::memcpy(found->second.after.data(), at_address(memory, address), width);
    if (found->second.after == found->second.before) changes_.erase(found);
  }
}

// Whether a lane has to see the change.
bool LateStores::is_known(const Warp& warp, std::uint32_t lane, const Change& change) const {
  const Block& block = *warp.block;
  if (change.block == block.linear) return true;
  for (u32 left = change.lanes; left; left &= left - 1)
    if (block.checker->order.covers(warp.index * kLanes + lane, change.block,
                                    change.record | lowest(left)))
      return true;
  const auto theirs = fences_.find(change.block), mine = fences_.find(block.linear);
  if (theirs == fences_.end() || mine == fences_.end()) return false;
  const auto first = std::ranges::upper_bound(theirs->second, change.when);
  return first != theirs->second.end() && *first < mine->second.back();
}

void LateStores::load(Warp& warp, const MemoryOperand& access, u32 mask, const Allocation& memory,
                      const LaneAddresses& at) {
  if (changes_.empty()) return;
  const u32 width = access.width();
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    const device::Address address = at.of[lane];
    forget_overlapping(address, width);
    const auto found = changes_.find(address);
    if (found == changes_.end()) continue;
    Change& change = found->second;
    // Somebody may have stored there otherwise.
    const bool is_there = std::memcmp(at_address(memory, address), change.after.data(), width) == 0;
    if (!is_there || change.looks == 0 || is_known(warp, lane, change)) {
      changes_.erase(found);
      continue;
    }
    --change.looks;
    for (std::size_t c = 0; c < access.components; ++c)
      std::memcpy(warp.frame + access.value[c] + lane * access.element,
                  change.before.data() + c * access.element, access.element);
    report(warp, access, lane, change, memory, address);
  }
}

// Who waits for a value reads old ones until it comes: that is no news.
void LateStores::report(Warp& warp, const MemoryOperand& access, u32 lane, const Change& change,
                        const Allocation& memory, device::Address address) const {
  const Block& block = *warp.block;
  if (!block.checks || order_of(warp, access).only_decides) return;
  const u32 site = site_of(change.record), writer = lowest(change.lanes);
  block.checker->report(
      device::FindingKind::late_store, access.id, site, warp, lane,
      [&] {
        const MemoryOperand& other = *block.launch->program->sites()[site].access;
        const Message who(Says::thread_of_block,
                          block.thread(block.warps[warp_of(change.record)], writer),
                          block.launch->grid.index_of(change.block));
        const bool found = block.checker->order.found(warp.index * kLanes + lane, change.block,
                                                      change.record | writer);
        return Message(
            Says::comes_late, does(access, memory.element(address - memory.base, access.width())),
            Message(other.direction == Direction::atomic ? Says::updated : Says::wrote, who),
            Message(found ? Says::no_order_acquire : Says::no_order_fence));
      },
      device::Meeting::between_blocks);
}

} // namespace course::emulator
