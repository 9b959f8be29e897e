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

} // namespace

bool Knowledge::covers(Record record) const {
  const std::uint32_t stamp = stamp_of(record);
  return stamp < all || stamp < stamp_at(warps, warp_of(record)) ||
         stamp < stamp_at(threads, warp_of(record) * kLanes + lane_of(record));
}

void Knowledge::add(const Knowledge& other) {
  all = std::max(all, other.all);
  for (const auto& [warp, stamp] : other.warps) raise(warps, warp, stamp);
  for (const auto& [thread, stamp] : other.threads) raise(threads, thread, stamp);
  const auto behind = [&](const auto& each) { return each.second <= all; };
  std::erase_if(warps, behind);
  std::erase_if(threads, behind);
}

namespace {

std::shared_ptr<KnownBlocks> changed(const Known& known) {
  auto made = std::make_shared<KnownBlocks>(*known);
  made->chain = made->step = 0;
  return made;
}

} // namespace

Known join(const Known& a, const Known& b) {
  if (a == b || !b) return a;
  if (!a) return b;
  // All blocks of a grid take over from one place: without this, each would go through all others.
  if (a->chain && a->chain == b->chain) return a->step < b->step ? b : a;
  // Copied where `b` has something to tell only: a copy counts the uses of 16 trees.
  Knowledge here = a->here;
  here.add(b->here);
  bool as_b = here == b->here;
  std::shared_ptr<KnownBlocks> made = here == a->here ? nullptr : changed(a);
  if (made) made->here = std::move(here);
  for (std::size_t i = 0; i < b->below.size(); ++i) {
    const Known &of_a = a->below[i], &of_b = b->below[i];
    if (of_a == of_b) continue;
    if (!of_b) {
      as_b = false;
      continue;
    }
    Known below = join(of_a, of_b);
    as_b = as_b && below == of_b;
    if (below == of_a) continue;
    if (!made) made = changed(a);
    made->below[i] = std::move(below);
  }
  return !made ? a : as_b ? b : Known(std::move(made));
}

Known with(const Known& known, std::uint64_t block, const Knowledge& knowledge) {
  auto made = known ? changed(known) : std::make_shared<KnownBlocks>();
  if (block == 0)
    made->here.add(knowledge);
  else // numbers from 1, so that none is a part of another's way: (block - 1) below
    made->below[(block - 1) % 16] =
        with(made->below[(block - 1) % 16], (block - 1) / 16, knowledge);
  return made;
}

bool covers(const Known& known, std::uint64_t block, Record record) {
  const KnownBlocks* node = known.get();
  for (; node && block; block = (block - 1) / 16) node = node->below[(block - 1) % 16].get();
  return node && node->here.covers(record);
}

// ---- threads of a block

void Clock::add(const Clock& other) {
  seen = join(seen, other.seen);
  fenced_block = join(fenced_block, other.fenced_block);
  fenced_device = join(fenced_device, other.fenced_device);
  proxied = join(proxied, other.proxied);
  proxied_global = join(proxied_global, other.proxied_global);
  made = join(made, other.made);
  if (other.found_block) found_block = join(found_block, other.found_block);
  if (other.found_device) found_device = join(found_device, other.found_device);
}

void Passed::add(const Passed& other) {
  seen = join(seen, other.seen);
  proxied = join(proxied, other.proxied);
  proxied_global = join(proxied_global, other.proxied_global);
  made = join(made, other.made);
}

void go_on(Released& place, const Known& joined) {
  if (joined == place.to_device) return;
  static std::atomic<std::uint64_t> chains{0};
  if (!place.chain) place.chain = ++chains;
  auto made = changed(joined);
  made->chain = place.chain;
  made->step = ++place.step;
  place.to_device = std::move(made);
}

} // namespace course::emulator
