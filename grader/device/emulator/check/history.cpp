#include "device/emulator/check/history_request.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace course::emulator {
namespace {

bool writes(const MemoryOperand& access) {
  return access.direction != Direction::load;
}
bool reads(const MemoryOperand& access) {
  return access.direction == Direction::load || access.returns;
}
} // namespace

void Accesses::add(PastAccess access) {
  const auto warp = [](const PastAccess& one) { return one.block << 5 | warp_of(one.record); };
  const u64 mine = warp(access);
  const bool at_the_end = by_warp_.empty() || warp(by_warp_.back()) <= mine;
  const auto end = at_the_end ? by_warp_.end() : std::ranges::upper_bound(by_warp_, mine, {}, warp);
  auto begin = end;
  for (; begin != by_warp_.begin() && warp(begin[-1]) == mine; --begin) {
    PastAccess& earlier = begin[-1];
    if (earlier.lanes & access.lanes) access.seen.add(earlier.seen);
    earlier.lanes &= ~access.lanes;
  }
  const auto kept =
      std::remove_if(begin, end, [](const PastAccess& earlier) { return !earlier.lanes; });
  if (kept == end) {
    by_warp_.insert(end, access);
  } else {
    *kept = access;
    by_warp_.erase(kept + 1, end);
  }
}

u64 Histories::Request::stored(u32 lane) const {
  u64 value = access.width();
  for (std::size_t c = 0; c < access.components; ++c) {
    for (u32 byte = 0; byte < access.element; byte += 8) {
      u64 part = 0;
      std::memcpy(&part, warp.frame + access.value[c] + lane * access.element + byte,
                  std::min<u32>(8, access.element - byte));
      value = device::splitmix64(value + part + device::kSplitmixStep);
    }
  }
  return value;
}

// Of an allocation, for one request: lanes side by side are mostly in one page.
class Histories::Pages {
public:
  explicit Pages(const Allocation& memory) : memory_(memory) {}

  // The trace at an offset; 0 when nothing was noted there.
  Trace trace(u64 offset) {
    if (offset / kPageBytes != index_) {
      index_ = offset / kPageBytes;
      page_ = memory_.footprint[index_];
      traces_ = page_ ? page_->traces.load(std::memory_order_relaxed) : nullptr;
    }
    return traces_ ? traces_->of[offset % kPageBytes >> traces_->shift] : 0;
  }
  // Of the trace that was asked for last.
  u64 granule() const { return u64{1} << (traces_ ? traces_->shift : 2); }
  FootprintPage& page() const { return *page_; }
  const Traces& traces() const { return *traces_; }

private:
  const Allocation& memory_;
  u64 index_ = ~u64{0};
  FootprintPage* page_ = nullptr;
  const Traces* traces_ = nullptr;
};

std::uint64_t Histories::next_number() {
  static std::atomic<std::uint64_t> made{0};
  return ++made;
}

Histories::Word& Histories::word(FootprintPage& page, const Traces& traces, std::uint64_t offset) {
  if (page.histories != number_ || page.number_in_histories.empty()) {
    page.histories = number_;
    page.number_in_histories.assign(kPageBytes >> traces.shift, 0);
  }
  std::uint32_t& number = page.number_in_histories[offset % kPageBytes >> traces.shift];
  if (number == 0) {
    words_.emplace_back();
    number = static_cast<std::uint32_t>(words_.size());
  }
  return words_[number - 1];
}

void Histories::note(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                     const Allocation& memory, const LaneAddresses& at) {
  const u32 width = access.width();
  Pages pages(memory);
  u32 left = 0;
  u64 last = 0;
  bool apart = true; // each lane behind the one before it, and so at a place of its own
  for (u32 lanes = mask; lanes; lanes &= lanes - 1) {
    const u64 address = at.of[lowest(lanes)];
    apart = apart && address > last;
    last = address;
    const u64 offset = address - memory.base;
    for (u64 byte = offset; byte < offset + width; byte += pages.granule()) {
      if (!in_conflict(pages.trace(byte))) continue;
      left |= lanes & (0u - lanes);
      break;
    }
  }
  while (left) {
    // Lanes at one place go together; so do all words of it.
    const u64 address = at.of[lowest(left)];
    u32 lanes = left & (0u - left);
    for (u32 rest = apart ? 0 : left; rest; rest &= rest - 1)
      if (at.of[lowest(rest)] == address) lanes |= rest & (0u - rest);
    left &= ~lanes;
    const Request request{warp, access, memory, at, lanes};
    if (lanes & (lanes - 1)) report_within(request);
    for (u64 byte = address - memory.base; byte < address - memory.base + width;) {
      const Trace trace = pages.trace(byte);
      if (in_conflict(trace)) visit(request, trace, word(pages.page(), pages.traces(), byte));
      byte = (byte / pages.granule() + 1) * pages.granule();
    }
  }
}

std::vector<Histories::Word*>
Histories::words_in_conflict(const Allocation& memory, std::uint64_t offset, std::uint64_t bytes) {
  Pages pages(memory);
  std::vector<Word*> words;
  for (u64 byte = offset; byte < offset + bytes;) {
    if (in_conflict(pages.trace(byte))) words.push_back(&word(pages.page(), pages.traces(), byte));
    byte = (byte / pages.granule() + 1) * pages.granule();
  }
  return words;
}

// Lanes of one store at one place.
void Histories::report_within(const Request& request) {
  const MemoryOperand& access = request.access;
  if (access.direction != Direction::store || access.strong) return;
  const u32 last_lane = std::bit_floor(request.lanes), last = lowest(last_lane);
  for (u32 left = request.lanes & ~last_lane; left; left &= left - 1) {
    const u32 lane = lowest(left);
    bool same = true;
    for (std::size_t c = 0; c < access.components; ++c)
      same = same && std::memcmp(request.warp.frame + access.value[c] + lane * access.element,
                                 request.warp.frame + access.value[c] + last * access.element,
                                 access.element) == 0;
    const PastAccess other{request.block().linear,
                           record(request.warp.stamp, access.id, request.warp.index), last_lane,
                           false};
    report(request, lane, other, last, true, same);
  }
}

// Checks the lanes against what has happened to the word, and adds them to it.
void Histories::visit(const Request& request, Trace trace, Word& word) {
  const MemoryOperand& access = request.access;
  const bool strong = is_strong(access);
  // Strong accesses only meet their like where a scope is narrow, sizes differ, or no atomic is
  // among them.
  constexpr Trace kSizes = kTraceStrong32 | kTraceStrong64;
  const bool meet = !strong || (trace & kTraceWithinBlock) || (trace & kSizes) == kSizes ||
                    ((trace & kTraceStrongWrite) && (trace & kTraceStrongRead));
  report_unordered(request, word, word.writes, true);
  if (meet) report_unordered(request, word, word.strong_writes, true);
  if (writes(access)) {
    report_unordered(request, word, word.reads, false);
    if (meet) report_unordered(request, word, word.strong_reads, false);
  }
  if (access.unchanging)
    report_changed(request, word);
  else if (writes(access))
    report_promised(request, word);
  if (writes(access)) report_read_on(request, word);
  if (access.asynchronous && access.direction != Direction::store)
    for (const Accesses* before : {&word.writes, &word.strong_writes})
      report_unfenced(request, *before);
  const BlockOrder& order = request.block().checker->order;
  const u32 thread = request.warp.index * kLanes + lowest(request.lanes);
  PastAccess now{request.block().linear,
                 record(request.warp.stamp, access.id, request.warp.index),
                 request.lanes,
                 order_of(request.warp, access).releases || order.has_fenced(thread),
                 ++requests_,
                 0,
                 {}};
  if (access.direction == Direction::store) now.value = request.stored(lowest(request.lanes));
  if (strong) {
    const bool of_all = order_of(request.warp, access).scope == Scope::device;
    if (reads(access) && !word.strong_writes.empty())
      now.seen = {word.last_store, now.when, of_all};
    if (access.direction == Direction::store) word.last_store = now.when;
    (writes(access) ? word.strong_writes : word.strong_reads).add(now);
  } else if (writes(access)) {
    // Whoever is behind this write is behind what it is ordered behind; what it races with has been
    // said. Writes of the same value stay beside it.
    word.reads.clear();
    word.strong_reads.clear();
    word.strong_writes.clear();
    if (word.value != now.value) word.writes.clear();
    word.value = now.value;
    word.writes.add(now);
  } else {
    word.reads.add(now);
    if (access.unchanging) unchanging_.try_emplace(&word, now);
  }
}

// Whether an access of one lane of another request happened before a lane's.
bool happened_before(const Warp& warp, u32 lane, u64 block, Record record) {
  if (block != warp.block->linear)
    return warp.block->checker->order.covers(warp.index * kLanes + lane, block, record);
  return (warp_of(record) == warp.index && lane == lane_of(record)) ||
         warp.block->checker->shadow.ordered(record, warp, lane);
}

// Whether a lane is behind a strong read, by anybody, that saw a strong write of the word.
bool Histories::seen(const Request& request, std::uint32_t lane, const Word& word,
                     const PastAccess& write) {
  const auto saw = [&](const PastAccess& past) {
    if (write.when < past.seen.from || write.when >= past.seen.until ||
        (past.block != write.block && !past.seen.of_all))
      return false;
    for (u32 lanes = past.lanes; lanes; lanes &= lanes - 1)
      if (happened_before(request.warp, lane, past.block, past.record | lowest(lanes))) return true;
    return false;
  };
  // Who knows nothing of other blocks is behind nothing of theirs.
  const u64 mine = request.block().linear;
  if (!request.block().checker->order.knows_others(request.warp.index * kLanes + lane))
    return word.strong_writes.any_of_block(mine, saw) || word.strong_reads.any_of_block(mine, saw);
  return word.strong_writes.any(saw) || word.strong_reads.any(saw);
}

// Reports the first of these that a lane races with, or stores the same value as.
void Histories::report_unordered(const Request& request, const Word& word, const Accesses& before,
                                 bool before_writes) {
  const Block& block = request.block();
  const MemoryOperand& access = request.access;
  const bool strong = is_strong(access);
  before.any([&](const PastAccess& past) {
    const Site& other_site = block.launch->program->sites()[site_of(past.record)];
    const MemoryOperand& other = *other_site.access;
    const bool same_block = past.block == block.linear;
    const bool same_warp = same_block && warp_of(past.record) == request.warp.index;
    if (strong && is_strong(other) && !of_other_size(access, other)) {
      const bool one_scope = same_block || (order_of(request.warp, access).scope == Scope::device &&
                                            other_site.order.scope == Scope::device);
      const bool atomic =
          access.direction == Direction::atomic || other.direction == Direction::atomic;
      const bool stores = access.direction == Direction::store;
      const bool released = stores ? order_of(request.warp, access).releases ||
                                         block.checker->order.has_fenced(
                                             request.warp.index * kLanes + lowest(request.lanes))
                                   : past.released;
      // Lanes of a warp that hand values on by volatile accesses alone: strong, and without order.
      // A load whose value decides may wait for it, which orders the two without being a race. Two
      // stores hand nothing on.
      const MemoryOrder& load = stores ? other_site.order : order_of(request.warp, access);
      const bool only_store = stores && other.direction == Direction::store;
      if (one_scope && (atomic || !same_warp || only_store || released || load.decides))
        return false;
    }
    for (u32 mine = request.lanes; mine; mine &= mine - 1) {
      const u32 lane = lowest(mine);
      for (u32 theirs = past.lanes; theirs; theirs &= theirs - 1) {
        const u32 other_lane = lowest(theirs);
        const Record record = past.record | other_lane;
        if (happened_before(request.warp, lane, past.block, record)) {
          // All of another warp are behind a barrier together, unless threads have their own order.
          if (!same_warp && !block.checker->order.active()) break;
          continue;
        }
        const bool both_store =
            access.direction == Direction::store && other.direction == Direction::store;
        // Several may store one value: whoever is last, it is there.
        const bool same_value = both_store && request.stored(lane) == past.value;
        if (same_value && access.strong && other.strong) return false;
        if (before_writes && is_strong(other) && seen(request, lane, word, past)) break;
        report(request, lane, past, other_lane, before_writes, same_value);
        return true;
      }
    }
    return false;
  });
}

// Reports ordinary stores that an asynchronous access is behind, and no fence between the two.
void Histories::report_unfenced(const Request& request, const Accesses& before) {
  Block& block = *request.warp.block;
  const u32 lane = lowest(request.lanes);
  const Known& fenced = block.checker->order.of(request.warp.index * kLanes + lane).proxied_global;
  before.any([&](const PastAccess& past) {
    const MemoryOperand& store = *block.launch->program->sites()[site_of(past.record)].access;
    const Record record = past.record | lowest(past.lanes);
    if (store.asynchronous || covers(fenced, past.block, record) ||
        !happened_before(request.warp, lane, past.block, record))
      return false;
    block.checker->report(
        device::FindingKind::proxy, request.access.id, site_of(record), request.warp, lane, [&] {
          const u64 offset = request.at.of[lane] - request.memory.base;
          return Message(Says::copy_misses_store, request.memory.element(offset, 4),
                         who_stored(block, {past.block, record}));
        });
    return true;
  });
}

namespace {

// Of a library's kernel all may be shown at the line that calls it.
bool are_one_line(const Site& one, const Site& other) {
  const auto innermost = [](const Site& site) {
    return site.code->function->body[site.access->instruction].innermost;
  };
  return one.source.line == other.source.line && innermost(one) == innermost(other);
}

} // namespace

void Histories::report(const Request& request, std::uint32_t lane, const PastAccess& past,
                       std::uint32_t other_lane, bool before_writes, bool same_value) {
  Block& block = *request.warp.block;
  const MemoryOperand& access = request.access;
  const u32 site = site_of(past.record);
  const auto kind = same_value ? device::FindingKind::same_value : device::FindingKind::race;
  block.checker->report(
      kind, access.id, site, request.warp, lane,
      [&] {
        const Site& other_site = block.launch->program->sites()[site];
        const MemoryOperand& other = *other_site.access;
        const bool same_block = past.block == block.linear;
        const bool same_warp = same_block && warp_of(past.record) == request.warp.index;
        const u64 offset = request.at.of[lane] - request.memory.base;
        Message mine = does(access, request.memory.element(offset, access.width()));
        const device::Dim3 thread = block.thread(block.warps[warp_of(past.record)], other_lane);
        Message who = same_block ? Message(Says::thread, thread)
                                 : Message(Says::thread_of_block, thread,
                                           block.launch->grid.index_of(past.block));
        if (same_value)
          return Message(Says::meets_same_value, std::move(mine), std::move(who),
                         Message(Says::no_order));
        const Says did = !before_writes                         ? Says::did_read
                         : other.direction == Direction::atomic ? Says::updated
                                                                : Says::wrote;
        const bool atomics =
            access.direction == Direction::atomic || other.direction == Direction::atomic;
        const bool narrow = is_strong(access) && is_strong(other) && !same_block;
        const bool one_line = are_one_line(block.launch->program->sites()[access.id], other_site);
        // They have flags, at least.
        const bool flags = block.checker->order.active() || block.launch->entry->reads_strongly;
        const bool found = block.checker->order.found(request.warp.index * kLanes + lane,
                                                      past.block, past.record | other_lane);
        const bool sizes = is_strong(access) && is_strong(other) && of_other_size(access, other);
        const Message advice = sizes ? Message(Says::no_order_size, access.element, other.element)
                               : narrow                       ? Message(Says::no_order_scope)
                               : same_block                   ? no_barrier_between(same_warp)
                               : atomics                      ? Message(Says::no_order_atomic)
                               : one_line                     ? Message(Says::no_order_turns)
                               : block.launch->grid_workspace ? Message(Says::no_order_grid)
                               : found                        ? Message(Says::no_order_acquire)
                               : flags && before_writes       ? Message(Says::no_order_fence)
                               : flags ? Message(Says::no_order_fence_of_reader)
                                       : Message(Says::no_order_launch);
        return Message(Says::meets, std::move(mine), Message(did, std::move(who)), advice);
      },
      past.block == block.linear ? device::Meeting::in_any_order : device::Meeting::between_blocks);
  if (past.block == block.linear && warp_of(past.record) != request.warp.index)
    block.checker->findings.across_warps({kind, access.id, site});
}

} // namespace course::emulator
