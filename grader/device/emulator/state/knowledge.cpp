#include "device/emulator/state/knowledge.hpp"

#include <algorithm>
#include <atomic>

namespace course::emulator {
namespace {

using Stamps = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::uint32_t stamp_at(const Stamps& stamps, std::uint32_t key) {
  const auto found = std::lower_bound(stamps.begin(), stamps.end(), std::pair{key, 0u});
  return found != stamps.end() && found->first == key ? found->second : 0;
}
void raise(Stamps& stamps, std::uint32_t key, std::uint32_t stamp) {
  const auto found = std::lower_bound(stamps.begin(), stamps.end(), std::pair{key, 0u});
  if (found != stamps.end() && found->first == key)
    found->second = std::max(found->second, stamp);
  else
    stamps.insert(found, {key, stamp});
}
void raise(Stamps& stamps, const Stamps& by, std::uint32_t all) {
  for (const auto& [key, stamp] : by)
    if (stamp > all) raise(stamps, key, stamp);
}
// Whether one of `more` is past `stamps` and past `all`.
bool adds(const Stamps& stamps, std::uint32_t all, const Stamps& more) {
  auto from = stamps.begin();
  return std::any_of(more.begin(), more.end(), [&](const auto& each) {
    const auto [key, stamp] = each;
    if (stamp <= all) return false;
    from = std::lower_bound(from, stamps.end(), std::pair{key, 0u});
    return from == stamps.end() || from->first != key || from->second < stamp;
  });
}

} // namespace

bool Knowledge::covers(Record record) const {
  const std::uint32_t stamp = stamp_of(record);
  return stamp < all || stamp < stamp_at(warps, warp_of(record)) ||
         stamp < stamp_at(threads, warp_of(record) * kLanes + lane_of(record));
}

void Knowledge::add(const Knowledge& other) {
  if (other.all > all) {
    all = other.all;
    const auto behind = [&](const auto& each) { return each.second <= all; };
    std::erase_if(warps, behind);
    std::erase_if(threads, behind);
  }
  raise(warps, other.warps, all);
  raise(threads, other.threads, all);
}

bool Knowledge::lacks(const Knowledge& other) const {
  return other.all > all || adds(warps, all, other.warps) || adds(threads, all, other.threads);
}

namespace {

// Whether `b` tells something that `a` does not know.
bool adds(const Known& a, const Known& b) {
  if (a == b || !b) return false;
  if (!a) return true;
  // All blocks of a grid take over from one place: without this, each would go through all others.
  if (a->chain && a->chain == b->chain) return a->step < b->step;
  if (a->here.lacks(b->here)) return true;
  for (std::size_t i = 0; i < b->below.size(); ++i)
    if (adds(a->below[i], b->below[i])) return true;
  return false;
}

// To be changed: itself where nobody else has it, as while 1,024 threads arrive at a barrier one
// after the other. What was copied has its children in common with its copy, and so on down.
KnownBlocks& changed(Known& known) {
  if (known.use_count() == 1)
    std::atomic_thread_fence(std::memory_order_acquire); // whoever had it has read it
  else
    known = std::make_shared<KnownBlocks>(*known);
  auto& made = const_cast<KnownBlocks&>(*known); // NOLINT: none is made const
  made.chain = made.step = 0;
  return made;
}

} // namespace

Known join(Known a, const Known& b) {
  if (!adds(a, b)) return a;
  if (!adds(b, a)) return b;
  KnownBlocks& made = changed(a);
  made.here.add(b->here);
  for (std::size_t i = 0; i < b->below.size(); ++i)
    if (b->below[i]) made.below[i] = join(std::move(made.below[i]), b->below[i]);
  return a;
}

Known with(Known known, std::uint64_t block, const Knowledge& knowledge) {
  if (!known) known = std::make_shared<KnownBlocks>();
  KnownBlocks& made = changed(known);
  if (block == 0)
    made.here.add(knowledge);
  else { // numbers from 1, so that none is a part of another's way: (block - 1) below
    Known& below = made.below[(block - 1) % 16];
    below = with(std::move(below), (block - 1) / 16, knowledge);
  }
  return known;
}

const Knowledge* of_block(const Known& known, std::uint64_t block) {
  const KnownBlocks* node = known.get();
  for (; node && block; block = (block - 1) / 16) node = node->below[(block - 1) % 16].get();
  return node ? &node->here : nullptr;
}

bool covers(const Known& known, std::uint64_t block, Record record) {
  const Knowledge* knowledge = of_block(known, block);
  return knowledge && knowledge->covers(record);
}

// ---- threads of a block

namespace {

void take(Known& known, const Known& more) {
  known = join(std::move(known), more);
}

} // namespace

void Clock::add(const Clock& other) {
  take(seen, other.seen);
  take(fenced_block, other.fenced_block);
  take(fenced_device, other.fenced_device);
  take(proxied, other.proxied);
  take(proxied_global, other.proxied_global);
  take(made, other.made);
  take(found_block, other.found_block);
  take(found_device, other.found_device);
}

void Passed::add(const Passed& other) {
  take(seen, other.seen);
  take(proxied, other.proxied);
  take(proxied_global, other.proxied_global);
  take(made, other.made);
}

void go_on(Released& place, const Known& joined) {
  if (joined == place.to_device) return;
  static std::atomic<std::uint64_t> chains{0};
  if (!place.chain) place.chain = ++chains;
  auto made = std::make_shared<KnownBlocks>(*joined);
  made->chain = place.chain;
  made->step = ++place.step;
  place.to_device = std::move(made);
}

} // namespace course::emulator
