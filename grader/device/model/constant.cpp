#include "device/model/constant.hpp"

#include "device/model/lane_set.hpp"

namespace course::model {

int constant_replays(std::uint32_t active, int width,
                     const std::array<std::uint32_t, kLanes>& offset) {
  if (active == 0) return 0;
  const int shift = width <= 4 ? 2 : width <= 8 ? 3 : 4;
  const std::uint32_t word = offset[std::countr_zero(active)] >> shift;
  std::uint32_t differs = 0;
  for (int lane = 0; lane < kLanes; ++lane) differs |= (offset[lane] >> shift) ^ word;
  if (differs == 0) return 0;

  LaneSet<std::uint32_t> words;
  for (; active != 0; active &= active - 1) words.insert(offset[std::countr_zero(active)] >> shift);
  return words.size() - 1;
}

} // namespace course::model
