#include "device/model/atomics.hpp"

#include <algorithm>
#include <bit>

#include "device/model/fullest_bank.hpp"
#include "device/model/shared.hpp"

namespace course::model {
namespace {

constexpr int kWordShift = 2, kDoubleWordShift = 3;
constexpr std::uint32_t kHalfWarp = 0xffff;

int lanes_in_fullest_bank(const Request& request) {
  if (request.active == kAllLanes) {
    const Stride stride = stride_of(request.offset);
    if (stride.uniform && stride.bytes % kWordBytes == 0)
      return lanes_a_column(stride.bytes / kWordBytes, kLanes);
  }
  return most_lanes(wanted(request.offset, request.active, kWordShift), kBanks);
}

// One word a lane: the passes of an exchange, of which cas takes two.
Passes one_word_a_lane(const Request& request) {
  if (request.width <= kWordBytes) {
    const int lanes = lanes_in_fullest_bank(request);
    return {lanes, 1, lanes};
  }
  Passes passes;
  for (const std::uint32_t half : {kHalfWarp, ~kHalfWarp}) {
    const Wanted words = wanted(request.offset, request.active & half, kDoubleWordShift);
    const int lanes = most_lanes(words, kBanks / 2);
    passes.wavefronts += lanes;
    passes.ways = std::max(passes.ways, lanes);
  }
  passes.ideal = std::popcount(request.active) > kLanes / 2 ? 2 : 1;
  return passes;
}

// The lowest of `lanes` in each bank (of `columns`).
std::uint32_t lowest_a_column(const Request& request, std::uint32_t lanes, int shift, int columns) {
  std::uint32_t winners = 0, taken = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint32_t column = 1u << (request.offset[lane] >> shift & (columns - 1));
    if ((taken & column) == 0) winners |= 1u << lane;
    taken |= column;
  }
  return winners;
}

Passes loop_of_words(const Request& request) {
  Passes passes;
  for (std::uint32_t left = request.active; left != 0; ++passes.ways) {
    passes.wavefronts += most_distinct(wanted(request.offset, left, kWordShift), kBanks) + 2;
    passes.ideal += 3;
    left &= ~lowest_a_column(request, left, kWordShift, kBanks);
  }
  return passes;
}

// The words that a loop works on, each known by its lowest lane.
struct Words {
  std::array<int, kLanes> of{}; // by lane
  std::array<std::uint64_t, kLanes> now{};
};

Words words_of(const Request& request, int shift, const LoopValues& values) {
  Words words;
  for (int lane = kLanes - 1; lane >= 0; --lane) {
    if ((request.active >> lane & 1) == 0) continue;
    words.now[lane] = values.before[lane];
    for (int other = lane; other < kLanes; ++other)
      if (request.offset[other] >> shift == request.offset[lane] >> shift) words.of[other] = lane;
  }
  return words;
}

// Those of `lanes` that have something to change in memory as it is now.
std::uint32_t changing(const Words& words, std::uint32_t lanes, const LoopValues& values) {
  std::uint32_t result = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint64_t now = words.now[words.of[lane]];
    if (values.after(lane, now) != now) result |= 1u << lane;
  }
  return result;
}

// Swaps in the winners' words, the lower half's first. A lane whose word is no longer the one that
// it loaded fails. Returns the lanes that are through.
std::uint32_t swap(Words& words, std::uint32_t winners, const LoopValues& values) {
  const std::array<std::uint64_t, kLanes> loaded = words.now;
  std::uint32_t through = 0;
  for (; winners != 0; winners &= winners - 1) {
    const int lane = std::countr_zero(winners), word = words.of[lane];
    if (words.now[word] != loaded[word]) continue;
    words.now[word] = values.after(lane, loaded[word]);
    through |= 1u << lane;
  }
  return through;
}

Passes loop_of_double_words(const Request& request, const LoopValues& values) {
  constexpr int kShift = kDoubleWordShift, kColumns = kBanks / 2;
  Words words = words_of(request, kShift, values);
  Request left = request;
  Passes passes;
  while (left.active != 0) {
    left.access = RequestKind::shared_load;
    const Passes loading = shared_passes(left);
    passes.wavefronts += loading.wavefronts;
    passes.ideal += loading.ideal;
    if (values.ends_unchanged) left.active = changing(words, left.active, values);
    const std::uint32_t low = left.active & kHalfWarp, high = left.active & ~kHalfWarp;
    passes.wavefronts += 2 * ((low != 0) + (high != 0));
    if (left.active != 0) passes.ideal += std::popcount(left.active) > kLanes / 2 ? 4 : 2;
    passes.ways += left.active != 0 || passes.ways == 0;
    const std::uint32_t winners = lowest_a_column(request, low, kShift, kColumns) |
                                  lowest_a_column(request, high, kShift, kColumns);
    left.active &= ~swap(words, winners, values);
  }
  return passes;
}

} // namespace

Passes atomic_passes(const Request& request, const LoopValues& values) {
  if (request.active == 0) return {};
  if (request.access == RequestKind::shared_atomic_loop)
    return request.width > kWordBytes ? loop_of_double_words(request, values)
                                      : loop_of_words(request);
  if (request.access == RequestKind::shared_atomic_increment) {
    const int distinct = most_distinct(wanted(request.offset, request.active, kWordShift), kBanks);
    return {distinct, 1, distinct};
  }
  const Passes passes = one_word_a_lane(request);
  if (request.access == RequestKind::shared_atomic_cas)
    return {2 * passes.wavefronts, 2 * passes.ideal, passes.ways};
  return passes;
}

Passes atomic_passes(const Request& request) {
  return atomic_passes(request, {{}, [](int, std::uint64_t now) { return now + 1; }});
}

bool may_conflict_again(const Request& request) {
  const bool wide = request.width > kWordBytes;
  // An attempt takes a pass for each half, and where few lanes are left one would do.
  if (wide && (request.active & kHalfWarp) != 0 && (request.active & ~kHalfWarp) != 0) return true;
  const int shift = wide ? kDoubleWordShift : kWordShift, columns = wide ? kBanks / 2 : kBanks;
  const Wanted words = wanted(request.offset, request.active, shift);
  // Lanes of a loop that want the same word take turns, round by round.
  return (request.access == RequestKind::shared_atomic_loop ? most_distinct(words, columns)
                                                            : most_lanes(words, columns)) > 1;
}

} // namespace course::model
