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
#include <ranges>

namespace course::emulator {
namespace {

constexpr std::size_t kMostChanges = 1 << 16; // that are kept at a time
constexpr std::size_t kMostFences = 1 << 10;  // since the first change that is kept
constexpr std::uint32_t kMostLooks = 3;
constexpr std::size_t kMostReaders = 16;        // it comes late to, and that have got it
constexpr std::uint64_t kOwnDraws = 0x6c617465; // others of the seed draw other things

} // namespace

// Whether what any of the lanes did happened before a lane does what it does now.
bool LateStores::is_behind(const Warp& warp, u32 lane, const Doing& doing) {
  const Checker& checker = *warp.block->checker;
  const bool own_block = doing.block == warp.block->linear;
  if (own_block && warp_of(doing.record) == warp.index && (doing.lanes >> lane & 1)) return true;
  for (u32 left = doing.lanes; left; left &= left - 1) {
    const Record one = doing.record | lowest(left);
    if (own_block ? checker.shadow.ordered(one, warp, lane)
                  : checker.order.covers(warp.index * kLanes + lane, doing.block, one))
      return true;
  }
  return false;
}

std::byte* LateStores::Memory::bytes_at(std::uint64_t address) const {
  return block ? block->shared.bytes() + address
               : allocation->bytes.get() + (address - allocation->base);
}

LateStores::LateStores(std::uint64_t seed)
    : state_(device::splitmix64(seed ^ kOwnDraws)), always_(seed % device::kManners == 0) {}

std::uint64_t LateStores::draw() {
  return device::splitmix64(state_ += device::kSplitmixStep);
}

std::uint32_t LateStores::draw_looks() {
  const std::uint64_t drawn = draw();
  return always_ || drawn % 2 ? 1 + static_cast<std::uint32_t>(drawn / 2 % kMostLooks) : 0;
}

// All but a change of just these bytes: whoever is told of a part of it has seen it.
void LateStores::forget_overlapping(Place place, std::uint32_t width) {
  const auto [memory, at] = place;
  const u64 widest = Value{}.size();
  for (auto each = changes_.lower_bound({memory, at - std::min(at, widest - 1)});
       each != changes_.end() && each->first < Place{memory, at + width};) {
    const bool same = each->first == place && each->second.width == width;
    const bool apart = each->first.second + each->second.width <= at;
    each = same || apart ? std::next(each) : changes_.erase(each);
  }
}

// The barrier of a grid is watched for what it counts.
bool LateStores::concerns(const MemoryOperand& access, const Memory& memory) {
  return access.width() <= Value{}.size() &&
         !(memory.allocation && memory.allocation->base == kGridWorkspace);
}

void LateStores::begin_change(const Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                              const Memory& memory, std::uint64_t at) {
  const Place place{memory.space(), at};
  const u32 width = access.width();
  forget_overlapping(place, width);
  const auto found = changes_.find(place);
  if (found != changes_.end() && found->second.by.when == now_) { // another lane of this one
    found->second.by.lanes |= 1u << lane;
    return;
  }
  if (found != changes_.end()) changes_.erase(found);
  if (changes_.size() == kMostChanges || draw_looks() == 0) return;
  Change change;
  change.by = {now_, warp.block->linear, record(warp.stamp, access.id, warp.index), 1u << lane};
  change.width = width;
  std::memcpy(change.before.data(), memory.bytes_at(at), width);
  changes_.emplace(place, change);
}

void LateStores::end_change(const MemoryOperand& access, const Memory& memory, std::uint64_t at) {
  const auto found = changes_.find({memory.space(), at});
  if (found == changes_.end() || found->second.by.when != now_) return;
  std::memcpy(found->second.after.data(), memory.bytes_at(at), access.width());
  if (found->second.after == found->second.before) changes_.erase(found);
}

void LateStores::fence(const Warp& warp, std::uint32_t lanes, Known known, bool for_all) {
  if (changes_.empty()) {
    fences_.clear();
    return;
  }
  if (fences_.size() == kMostFences) { // nobody wants to look through more
    fences_.clear();
    changes_.clear();
    return;
  }
  fences_.push_back({{++now_, warp.block->linear, record(warp.stamp, 0, warp.index), lanes},
                     std::move(known),
                     for_all});
}

void LateStores::end_block(std::uint64_t linear) {
  changes_.erase(changes_.lower_bound({linear + 1, 0}), changes_.lower_bound({linear + 2, 0}));
}

// Whether somebody has fenced behind it, and after that somebody whom the lane is behind.
bool LateStores::is_fenced(const Warp& warp, std::uint32_t lane, const Doing& doing) const {
  const auto is_behind_it = [&](const Fence& fence) {
    for (u32 left = doing.lanes; left; left &= left - 1)
      if (covers(fence.known, doing.block, doing.record | lowest(left))) return true;
    return false;
  };
  const auto when = [](const Fence& fence) { return fence.by.when; };
  const auto begin = std::ranges::upper_bound(fences_, doing.when, {}, when);
  for (auto first = begin; first != fences_.end(); ++first) {
    if (!is_behind_it(*first)) continue;
    for (auto second = std::next(first); second != fences_.end(); ++second) {
      const bool for_each_other =
          first->by.block == second->by.block || (first->for_all && second->for_all);
      if (for_each_other && is_behind(warp, lane, second->by)) return true;
    }
  }
  return false;
}

// Whether a lane has to see the change.
bool LateStores::is_known(const Warp& warp, std::uint32_t lane, const Change& change) const {
  const auto is_before = [&](const Doing& doing) {
    return is_behind(warp, lane, doing) || is_fenced(warp, lane, doing);
  };
  return is_before(change.by) || std::ranges::any_of(change.seen, is_before);
}

// Whether it still comes late to the lane.
bool LateStores::is_late(const Warp& warp, std::uint32_t lane, Change& change) {
  const u64 thread = warp.block->linear << 10 | warp.index << 5 | lane;
  auto reader = std::ranges::find(change.readers, thread, &Change::Reader::thread);
  if (reader == change.readers.end()) {
    if (change.readers.size() == kMostReaders) return false;
    const bool may_be = change.readers.empty() || draw() % 2; // not to all others alike
    reader = change.readers.insert(reader, {thread, may_be ? draw_looks() : 0});
  }
  if (reader->looks == 0) return false;
  --reader->looks;
  return true;
}

void LateStores::load(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                      const Memory& memory, std::uint64_t at) {
  const Place place{memory.space(), at};
  const u32 width = access.width();
  forget_overlapping(place, width);
  const auto found = changes_.find(place);
  if (found == changes_.end()) return;
  Change& change = found->second;
  // Somebody may have stored there otherwise.
  const bool is_there = std::memcmp(memory.bytes_at(at), change.after.data(), width) == 0;
  if (!is_there) {
    changes_.erase(found);
    return;
  }
  if (is_known(warp, lane, change) || !is_late(warp, lane, change)) {
    change.seen.push_back(
        {++now_, warp.block->linear, record(warp.stamp, access.id, warp.index), 1u << lane});
    if (change.seen.size() == kMostReaders) changes_.erase(found);
    return;
  }
  for (std::size_t c = 0; c < access.components; ++c)
    std::memcpy(warp.frame + access.value[c] + lane * access.element,
                change.before.data() + c * access.element, access.element);
  report(warp, access, lane, change, memory, at);
}

// Who waits for a value reads old ones until it comes: that is no news.
void LateStores::report(Warp& warp, const MemoryOperand& access, u32 lane, const Change& change,
                        const Memory& memory, std::uint64_t at) const {
  const Block& block = *warp.block;
  if (!block.checks || order_of(warp, access).only_decides) return;
  const u64 by = change.by.block;
  const Record written = change.by.record;
  const u32 site = site_of(written), writer = lowest(change.by.lanes);
  const bool own_block = by == block.linear;
  block.checker->report(
      device::FindingKind::late_store, access.id, site, warp, lane,
      [&] {
        const MemoryOperand& other = *block.launch->program->sites()[site].access;
        Message place =
            memory.block
                ? memory.block->shared.layout().describe(static_cast<u32>(at), access.width())
                : memory.allocation->element(at - memory.allocation->base, access.width());
        if (memory.block && memory.block != &block)
          place = of_cluster(std::move(place), *memory.block);
        const device::Dim3 thread = block.thread(block.warps[warp_of(written)], writer);
        const Message who =
            own_block ? Message(Says::thread, thread)
                      : Message(Says::thread_of_block, thread, block.launch->grid.index_of(by));
        const bool found =
            block.checker->order.found(warp.index * kLanes + lane, by, written | writer);
        const bool one_warp = own_block && warp_of(written) == warp.index;
        return Message(
            Says::comes_late, does(access, std::move(place)),
            Message(other.direction == Direction::atomic ? Says::updated : Says::wrote, who),
            found       ? Message(Says::no_order_acquire)
            : own_block ? no_barrier_between(one_warp)
                        : Message(Says::no_order_fence));
      },
      own_block ? device::Meeting::in_any_order : device::Meeting::between_blocks);
}

} // namespace course::emulator
