#include "device/emulator/check/footprint.hpp"

#include "device/emulator/check/order.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/runs.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

namespace course::emulator {
namespace {

class Hold { // of a page, where several workers may want it
public:
  Hold(FootprintPage& page, bool concurrent) : page_(concurrent ? &page : nullptr) {
    if (!page_) return;
    while (page_->busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Hold() {
    if (page_) page_->busy.clear(std::memory_order_release);
  }
  Hold(const Hold&) = delete;

private:
  FootprintPage* page_;
};

constexpr std::uint64_t kBeyondCaches = 1u << 20; // bytes of memory, and so of its traces

// Strong accesses of two sizes are not atomic to each other.
Trace trace_of_size(const MemoryOperand& access) {
  if (access.asynchronous) return 0; // of its own elements
  return access.element == 4    ? kTraceStrong32
         : access.element == 8  ? kTraceStrong64
         : access.element == 16 ? kTraceStrong32 | kTraceStrong64
                                : 0;
}

std::uint64_t words_of_written(const Allocation& memory, std::uint64_t index) {
  return (bytes_of_page(memory, index) + 63) / 64;
}

} // namespace

std::uint64_t bytes_of_page(const Allocation& memory, std::uint64_t index) {
  return std::min(kPageBytes, memory.size - std::min(memory.size, index * kPageBytes));
}

Trace trace_of(const Warp& warp, const MemoryOperand& access) {
  Trace scope = 0;
  if (is_strong(access))
    scope = trace_of_size(access) |
            (order_of(warp, access).scope == Scope::block ? kTraceWithinBlock : 0);
  switch (access.direction) {
  case Direction::load:
    // Asynchronously, what the same thread has stored is read by another way (proxies.hpp); what a
    // copy reads its own thread may store too early; and of what is said to be unchanging no
    // thread's own stores are let off.
    if (access.asynchronous || access.goes_on || access.unchanging)
      return kTraceRead | kTraceSeveral;
    return access.strong ? kTraceStrongRead | scope : kTraceRead;
  case Direction::store:
    return access.strong ? kTraceStrongWrite | scope : kTraceWrite;
  case Direction::atomic:
    return kTraceAtomic | scope;
  }
  return kTraceRead;
}

template <bool kAvx2>
struct FootprintLoops {
  // Consecutive traces, each of the owner behind the last one's or, `log` > 0, of the same for
  // 2^log of them; with `skip` > 0 each stands for 2^skip owners.
  struct Run {
    std::uint32_t owner, log, skip;
    Trace kind;
  };

  // Whether all traces say it already.
  [[gnu::always_inline]] static inline bool known(const Trace* of, u32 count, const Run& run) {
    u32 news = 0;
    for (u32 k = 0; k < count; ++k) {
      const Trace old = of[k];
      const u32 owner = run.owner + ((k << run.skip) >> run.log);
      const bool foreign = !(old & kTraceSeveral) && (old >> kOwnerShift) != owner;
      news |= (~old & run.kind) | (foreign ? 1u : 0u);
    }
    return news == 0;
  }
  // Returns what they say then, all together.
  [[gnu::always_inline]] static inline Trace set(Trace* of, u32 count, const Run& run) {
    Trace all = 0;
    for (u32 k = 0; k < count; ++k) {
      const Trace old = of[k];
      const u32 owner = run.owner + ((k << run.skip) >> run.log);
      const Trace first = owner << kOwnerShift | run.kind;
      const Trace later =
          old | run.kind | ((old >> kOwnerShift) != owner ? kTraceSeveral : Trace{0});
      of[k] = old ? later : first;
      all |= of[k];
    }
    return all;
  }

  // `bytes` from `offset`, all in one page. `lane_bytes`: of each owner.
  [[gnu::always_inline]] static inline void piece(Footprint& footprint, Allocation& memory,
                                                  u64 offset, u32 bytes, u32 owner, u32 lane_bytes,
                                                  Trace kind) {
    const u64 index = offset / kPageBytes;
    const u32 from = static_cast<u32>(offset % kPageBytes);
    FootprintPage& page = footprint.page(memory, index);
    const auto log_lane = static_cast<u32>(std::countr_zero(lane_bytes));
    const auto run_of = [&](const Traces& traces) {
      Run run{owner, 0, 0, kind};
      if (log_lane >= traces.shift) {
        run.log = log_lane - traces.shift;
      } else {
        run.skip = traces.shift - log_lane;
        if (bytes > lane_bytes) run.kind |= kTraceSeveral; // several lanes' bytes in one word
      }
      return run;
    };
    const auto count_of = [&](const Traces& traces) {
      return ((from + bytes - 1) >> traces.shift) - (from >> traces.shift) + 1;
    };
    const Traces* traces = page.traces.load(std::memory_order_acquire);
    const bool refines = (kind & kTraceChanges) && log_lane < traces->shift;
    if (!refines &&
        known(traces->of.get() + (from >> traces->shift), count_of(*traces), run_of(*traces)))
      return;
    const Hold hold(page, footprint.concurrent_);
    if ((kind & kTraceChanges) && !page.saved) footprint.save(memory, index, page);
    traces = page.traces.load(std::memory_order_relaxed);
    if ((kind & kTraceChanges) && log_lane < traces->shift) {
      footprint.refine(page, log_lane);
      traces = page.traces.load(std::memory_order_relaxed);
    }
    page.all |=
        set(traces->of.get() + (from >> traces->shift), count_of(*traces), run_of(*traces)) &
        kTraceKinds;
  }

  [[gnu::always_inline]] static inline void note(Footprint& footprint, Warp& warp,
                                                 const MemoryOperand& access, u32 mask,
                                                 Allocation& memory, const LaneAddresses& at) {
    const u32 width = access.width();
    const Trace kind = trace_of(warp, access);
    const auto owner = static_cast<u32>((warp.block->first_owner + warp.index * kLanes) % kOwners);
    // Bytes and halves of one word say that it had several owners, so they have to be whole words.
    const u64 first = at.of[lowest(mask)] - memory.base;
    const Shape lie = shape(at, mask, width);
    if (lie == Shape::neighbours && first % 4 == 0)
      return run(footprint, memory, first, width, kLanes, owner, kind);
    if (lie == Shape::same)
      return lane(footprint, memory, first, width, owner, kind | kTraceSeveral);
    // What is scattered is told by its first lanes, for it is not worth looking at all of them.
    const u64 steps[] = {at.of[1] - at.of[0], at.of[2] - at.of[1]};
    const bool in_runs = width >= 4 && first % 4 == 0 && (steps[0] == width || steps[1] == width);
    const u32 runs = in_runs ? joined(at, mask, width) : 0;
    if (runs != 0 && in_long_runs(mask, runs)) {
      for_each_run(
          mask, runs, [&](u32 lane, u32 lanes) __attribute__((always_inline)) {
            run(footprint, memory, at.of[lane] - memory.base, width, lanes, owner + lane, kind);
          });
      return;
    }
    const u32 groups = steps[0] == 0 || steps[1] == 0 ? joined(at, mask, 0) : 0;
    if (groups != 0 && in_long_runs(mask, groups)) {
      for_each_run(
          mask, groups, [&](u32 first_lane, u32 lanes) __attribute__((always_inline)) {
            lane(footprint, memory, at.of[first_lane] - memory.base, width, owner + first_lane,
                 lanes > 1 ? kind | kTraceSeveral : kind);
          });
      return;
    }
    if (memory.size > kBeyondCaches) fetch(memory, mask, at);
    u64 index = ~u64{0};
    const Traces* words = nullptr; // of the page with that index
    for (u32 left = mask; left; left &= left - 1) {
      const u32 i = lowest(left);
      const u64 offset = at.of[i] - memory.base;
      if (offset / kPageBytes != index) {
        index = offset / kPageBytes;
        words = words_of(memory, index);
      }
      if (words && is_known(*words, offset, width, owner + i, kind)) continue;
      lane(footprint, memory, offset, width, owner + i, kind);
      index = ~u64{0};
    }
  }

  // What scattered lanes touch, and its traces, from where no cache has them: all at once takes
  // hardly longer than one.
  [[gnu::always_inline]] static inline void fetch(const Allocation& memory, u32 mask,
                                                  const LaneAddresses& at) {
    const FootprintPage* pages[kLanes];
    for (u32 left = mask; left; left &= left - 1) {
      const u64 offset = at.of[lowest(left)] - memory.base;
      pages[lowest(left)] =
          std::atomic_ref(memory.footprint[offset / kPageBytes]).load(std::memory_order_acquire);
      __builtin_prefetch(pages[lowest(left)]);
      __builtin_prefetch(memory.bytes.get() + offset);
      if (memory.written) __builtin_prefetch(&memory.written[offset / 64]);
    }
    for (u32 left = mask; left; left &= left - 1) {
      const u64 offset = at.of[lowest(left)] - memory.base;
      if (const FootprintPage* page = pages[lowest(left)])
        __builtin_prefetch(page->words.of.get() + offset % kPageBytes / 4);
    }
  }

  // Lanes side by side that point side by side.
  [[gnu::always_inline]] static inline void run(Footprint& footprint, Allocation& memory, u64 first,
                                                u32 width, u32 lanes, u32 owner, Trace kind) {
    const u64 end = first + u64{width} * lanes;
    for (u64 offset = first; offset < end;) {
      const u64 stop = std::min(end, (offset / kPageBytes + 1) * kPageBytes);
      const auto lane = static_cast<u32>((offset - first) / width);
      piece(footprint, memory, offset, static_cast<u32>(stop - offset), owner + lane, width, kind);
      offset = stop;
    }
  }

  // Of a page that has none for less than a word; nullptr where it has, or where nothing was yet.
  [[gnu::always_inline]] static inline const Traces* words_of(const Allocation& memory, u64 index) {
    const FootprintPage* page =
        std::atomic_ref(memory.footprint[index]).load(std::memory_order_acquire);
    if (!page) return nullptr;
    const Traces* traces = page->traces.load(std::memory_order_acquire);
    return traces == &page->words ? traces : nullptr;
  }

  // Whether the traces of one lane's words say it already. Less than a word that changes has a
  // trace of its own.
  [[gnu::always_inline]] static inline bool is_known(const Traces& words, u64 offset, u32 width,
                                                     u32 owner, Trace kind) {
    if ((offset & (width - 1)) != 0 || (width < 4 && (kind & kTraceChanges))) return false;
    const Trace* of = words.of.get() + offset % kPageBytes / 4;
    for (u32 k = 0; k < width; k += 4, ++of)
      if ((~*of & kind) != 0 || (!(*of & kTraceSeveral) && *of >> kOwnerShift != owner))
        return false;
    return true;
  }

  static void lane(Footprint& footprint, Allocation& memory, u64 offset, u32 width, u32 owner,
                   Trace kind) {
    const u64 end = offset + width;
    while (offset < end) { // one piece, unless the allocation begins off the width
      const u64 stop = std::min(end, (offset / kPageBytes + 1) * kPageBytes);
      piece(footprint, memory, offset, static_cast<u32>(stop - offset), owner, width, kind);
      offset = stop;
    }
  }

  static void any(Footprint& f, Warp& w, const MemoryOperand& a, u32 mask, Allocation& m,
                  const LaneAddresses& at) {
    note(f, w, a, mask, m, at);
  }
  [[COURSE_AVX2]] static void avx2(Footprint& f, Warp& w, const MemoryOperand& a, u32 mask,
                                   Allocation& m, const LaneAddresses& at) {
    note(f, w, a, mask, m, at);
  }
};

void Footprint::note(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                     Allocation& memory, const LaneAddresses& at) {
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); // as COURSE_AVX2 says
  if (has_avx2)
    FootprintLoops<true>::avx2(*this, warp, access, mask, memory, at);
  else
    FootprintLoops<false>::any(*this, warp, access, mask, memory, at);
}

FootprintPage& Footprint::page(Allocation& memory, std::uint64_t index) {
  FootprintPage* known = std::atomic_ref(memory.footprint[index]).load(std::memory_order_acquire);
  if (known) [[likely]]
    return *known;
  return make_page(memory, index);
}

FootprintPage& Footprint::make_page(Allocation& memory, std::uint64_t index) {
  const std::lock_guard lock(mutex_);
  std::atomic_ref place(memory.footprint[index]);
  if (FootprintPage* known = place.load(std::memory_order_relaxed)) return *known;
  if (free_.empty()) {
    all_.push_back(std::make_unique<FootprintPage>());
    free_.push_back(all_.back().get());
  } else {
    std::fill_n(free_.back()->words.of.get(), kPageBytes >> 2, 0);
  }
  FootprintPage& page = *free_.back();
  free_.pop_back();
  page.saved = false;
  page.all = 0;
  page.traces.store(&page.words, std::memory_order_relaxed);
  touched_.push_back({&memory, index, &page});
  place.store(&page, std::memory_order_release);
  return page;
}

void FootprintPage::Before::take(const Allocation& memory, std::uint64_t index) {
  std::memcpy(bytes, memory.bytes.get() + index * kPageBytes, bytes_of_page(memory, index));
  if (!memory.written) return;
  for (std::uint64_t k = 0; k < words_of_written(memory, index); ++k)
    written[k] = __atomic_load_n(&memory.written[index * (kPageBytes / 64) + k], __ATOMIC_RELAXED);
}

void FootprintPage::Before::put_back(const Allocation& memory, std::uint64_t index) const {
  std::memcpy(memory.bytes.get() + index * kPageBytes, bytes, bytes_of_page(memory, index));
  put_back_written(memory, index);
}

void FootprintPage::Before::put_back_written(const Allocation& memory, std::uint64_t index) const {
  if (memory.written)
    std::copy_n(written, words_of_written(memory, index),
                &memory.written[index * (kPageBytes / 64)]);
}

void Footprint::save(const Allocation& memory, std::uint64_t index, FootprintPage& page) {
  if (!page.before) page.before = std::unique_ptr<FootprintPage::Before>(new FootprintPage::Before);
  page.before->take(memory, index);
  page.saved = true;
}

// From now on a trace for each 2^shift bytes of the page.
void Footprint::refine(FootprintPage& page, std::uint32_t shift) {
  const Traces& old = *page.traces.load(std::memory_order_relaxed);
  auto made = std::make_unique<Traces>(shift);
  for (std::uint64_t k = 0; k < kPageBytes >> shift; ++k)
    made->of[k] = old.of[k >> (old.shift - shift)];
  page.traces.store(made.get(), std::memory_order_release);
  page.narrow.push_back(std::move(made));
}

void Footprint::begin(bool concurrent) {
  concurrent_ = concurrent;
  // Left from a launch that this machine had no room for: its memory is gone.
  for (const Touched& touched : touched_) free_.push_back(touched.footprint);
  touched_.clear();
}

bool Footprint::has_conflicts() const {
  for (const Touched& touched : touched_) {
    if (!in_conflict(touched.footprint->all)) continue;
    const Traces& traces = *touched.footprint->traces.load(std::memory_order_relaxed);
    u32 found = 0;
    for (std::uint64_t k = 0; k < kPageBytes >> traces.shift; ++k)
      found |= in_conflict(traces.of[k]) ? 1 : 0;
    if (found) return true;
  }
  return false;
}

void Footprint::roll_back() {
  for (const Touched& touched : touched_) {
    if (!touched.footprint->saved) continue;
    touched.footprint->before->put_back(*touched.memory, touched.page);
  }
}

std::uint64_t Footprint::digest() const {
  std::uint64_t all = 0;
  for (const Touched& touched : touched_) {
    if (!touched.footprint->saved) continue;
    const auto& memory = *touched.memory;
    const std::uint64_t begin = touched.page * kPageBytes,
                        bytes = bytes_of_page(memory, touched.page);
    const std::byte* now = memory.bytes.get() + begin;
    const auto& before = *touched.footprint->before;
    if (std::memcmp(now, before.bytes, bytes) == 0) continue;
    const std::string_view text(reinterpret_cast<const char*>(now), bytes);
    all += device::splitmix64(memory.base + begin) ^ std::hash<std::string_view>()(text);
  }
  return all;
}

void Footprint::forget() {
  for (const Touched& touched : touched_) {
    touched.memory->footprint[touched.page] = nullptr;
    touched.footprint->narrow.clear();
    touched.footprint->number_in_histories = {};
    free_.push_back(touched.footprint);
  }
  touched_.clear();
}

} // namespace course::emulator
