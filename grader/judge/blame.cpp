#include "judge/blame.hpp"

#include <algorithm>

namespace course::judge {

// 32 lanes of so many bytes are as many sectors of 32 bytes.
std::uint64_t sectors_in_excess(const device::LineCounts& row) {
  const std::uint64_t filled = row.requests * row.worst.width;
  return row.sectors > filled ? row.sectors - filled : 0;
}

const device::LineCounts* to_blame(const std::vector<device::LineCounts>& rows, bool stores,
                                   std::uint64_t limit) {
  std::vector<const device::LineCounts*> concerned;
  std::uint64_t all = 0;
  for (const auto& row : rows) {
    const auto [memory, direction] = row.kind.use();
    if (memory != model::Memory::global || row.sectors == 0) continue;
    if ((direction != model::Direction::load) != stores) continue;
    concerned.push_back(&row);
    all += row.sectors;
  }
  if (concerned.empty()) return nullptr;
  const std::uint64_t beyond = all > limit ? all - limit : 0;
  const auto excess = [](const device::LineCounts* row) { return sectors_in_excess(*row); };
  const auto sectors = [](const device::LineCounts* row) { return row->sectors; };

  const auto* worst = *std::ranges::max_element(concerned, {}, excess);
  if (excess(worst) > 0 && worst->sectors >= beyond) return worst;
  const device::LineCounts* spare = nullptr;
  for (const auto* row : concerned)
    if (excess(row) == 0 && row->sectors >= beyond && (!spare || row->sectors < spare->sectors))
      spare = row;
  if (spare) return spare;
  return excess(worst) > 0 ? worst : *std::ranges::max_element(concerned, {}, sectors);
}

} // namespace course::judge
