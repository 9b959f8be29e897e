#include "device/model/atomics.hpp"

#include <algorithm>

#include "device/model/fullest_bank.hpp"
#include "device/model/lane_set.hpp"
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

// Of the upper half's winners, those whose word no winner of the lower half has changed.
std::uint32_t not_overtaken(const Request& request, std::uint32_t lower, std::uint32_t upper,
                            std::uint32_t unchanged, int shift) {
  LaneSet<std::uint32_t> changed;
  for (std::uint32_t lanes = lower & ~unchanged; lanes != 0; lanes &= lanes - 1)
    changed.insert(request.offset[std::countr_zero(lanes)] >> shift);
  std::uint32_t winners = 0;
  for (; upper != 0; upper &= upper - 1) {
    const int lane = std::countr_zero(upper);
    if (changed.insert(request.offset[lane] >> shift)) winners |= 1u << lane;
  }
  return winners;
}

Passes loop_of_double_words(const Request& request, std::uint32_t unchanged) {
  constexpr int kShift = kDoubleWordShift, kColumns = kBanks / 2;
  Request load = request;
  load.access = Access::shared_load;
  Passes passes;
  for (; load.active != 0; ++passes.ways) {
    const Passes loading = shared_passes(load);
    const std::uint32_t low = load.active & kHalfWarp, high = load.active & ~kHalfWarp;
    passes.wavefronts += loading.wavefronts + 2 * ((low != 0) + (high != 0));
    passes.ideal += loading.ideal + (std::popcount(load.active) > kLanes / 2 ? 4 : 2);
    const std::uint32_t lower = lowest_a_column(request, low, kShift, kColumns);
    const std::uint32_t upper = lowest_a_column(request, high, kShift, kColumns);
    load.active &= ~(lower | not_overtaken(request, lower, upper, unchanged, kShift));
  }
  return passes;
}

} // namespace

Passes atomic_passes(const Request& request, std::uint32_t unchanged) {
  if (request.active == 0) return {};
  if (request.access == Access::shared_atomic_loop)
    return request.width > kWordBytes ? loop_of_double_words(request, unchanged)
                                      : loop_of_words(request);
  if (request.access == Access::shared_atomic_increment) {
    const int distinct = most_distinct(wanted(request.offset, request.active, kWordShift), kBanks);
    return {distinct, 1, distinct};
  }
  const Passes passes = one_word_a_lane(request);
  if (request.access == Access::shared_atomic_cas)
    return {2 * passes.wavefronts, 2 * passes.ideal, passes.ways};
  return passes;
}

} // namespace course::model
