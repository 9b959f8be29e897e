#include "device/model/fullest_bank.hpp"

#include "device/model/lane_set.hpp"

namespace course::model {

Wanted wanted(const std::array<std::uint32_t, kLanes>& offset, std::uint32_t lanes, int shift) {
  Wanted result;
  const int first = lanes == 0 ? 0 : std::countr_zero(lanes);
  const int count = std::popcount(lanes);
  if (lanes >> first == static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1)) {
    for (int i = 0; i < count; ++i) result.unit[i] = offset[first + i] >> shift;
  } else {
    for (int i = 0; lanes != 0; lanes &= lanes - 1)
      result.unit[i++] = offset[std::countr_zero(lanes)] >> shift;
  }
  result.count = count;
  return result;
}

namespace {

bool ascends(const Wanted& wanted) {
  bool all = true;
  for (int i = 1; i < wanted.count; ++i) all &= wanted.unit[i - 1] < wanted.unit[i];
  return all;
}

} // namespace

int most_distinct(const Wanted& wanted, int columns) {
  const std::uint32_t mask = columns - 1;
  const int count = wanted.count;
  // Most requests have a column a lane.
  std::uint32_t taken = 0, again = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t column = 1u << (wanted.unit[i] & mask);
    again |= taken & column;
    taken |= column;
  }
  if (again == 0) return count > 0;
  if (ascends(wanted)) return most_lanes(wanted, columns); // so all are distinct

  // One unit of each column goes first, with all lanes that want it.
  std::uint32_t first[kBanks];
  for (int i = 0; i < count; ++i) first[wanted.unit[i] & mask] = wanted.unit[i];
  std::uint32_t rest[kLanes];
  int left = 0;
  for (int i = 0; i < count; ++i) {
    rest[left] = wanted.unit[i];
    left += first[wanted.unit[i] & mask] != wanted.unit[i];
  }
  if (left == 0) return 1;

  LaneSet<std::uint32_t> seen;
  std::array<std::uint8_t, kBanks> distinct{};
  int most = 0;
  for (int i = 0; i < left; ++i)
    if (seen.insert(rest[i])) most = std::max<int>(most, ++distinct[rest[i] & mask]);
  return 1 + most;
}

int most_lanes(const Wanted& wanted, int columns) {
  std::array<std::uint8_t, kBanks> lanes{};
  for (int i = 0; i < wanted.count; ++i) ++lanes[wanted.unit[i] & (columns - 1)];
  std::uint8_t most = 0; // (not max_element, which compares one after the other)
  for (const std::uint8_t each : lanes) most = std::max(most, each);
  return most;
}

Stride stride_of(const std::array<std::uint32_t, kLanes>& offset) {
  const std::uint32_t step = offset[1] - offset[0];
  std::uint32_t differs = 0;
  for (int lane = 0; lane + 1 < kLanes; ++lane) differs |= (offset[lane + 1] - offset[lane]) ^ step;
  const auto bytes = static_cast<std::int32_t>(step);
  constexpr std::int32_t kFarthest = 1 << 25;
  if (differs != 0 || bytes <= -kFarthest || bytes >= kFarthest) return {};
  return {true, bytes};
}

} // namespace course::model
