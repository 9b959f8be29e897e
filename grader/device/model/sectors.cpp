#include "device/model/sectors.hpp"

#include "device/model/lane_set.hpp"

namespace course::model {
namespace {

using Blocks = std::array<std::uint64_t, kLanes>;

// Blocks in no particular order.
int distinct(const Blocks& block, int count) {
  LaneSet<std::uint64_t> seen;
  for (int i = 0; i < count; ++i) seen.insert(block[i]);
  return seen.size();
}

// Most requests walk upwards; then the steps between neighbours tell the number of blocks.
int count_blocks(const Blocks& block, int count) {
  int changes = 0, descents = 0;
  for (int i = 1; i < count; ++i) {
    changes += block[i] != block[i - 1];
    descents += block[i] < block[i - 1];
  }
  return descents == 0 ? changes + 1 : distinct(block, count);
}

} // namespace

int sectors(std::uint32_t active, const std::array<std::uint64_t, kLanes>& address) {
  if (active == 0) return 0;
  Blocks block;
  if (active == kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane) block[lane] = address[lane] / kSectorBytes;
    return count_blocks(block, kLanes);
  }
  int count = 0;
  for (; active != 0; active &= active - 1)
    block[count++] = address[std::countr_zero(active)] / kSectorBytes;
  return count_blocks(block, count);
}

} // namespace course::model
