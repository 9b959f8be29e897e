#include "report/sector_rows.hpp"

#include "language/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace course::report {
namespace {

constexpr std::uint64_t kSector = 32; // bytes
constexpr int kDotsWidth = 5;         // columns of "  ..."

// The cells of one row, a column a lane; no lane stands for the dots.
using Cells = std::vector<std::string>;

// Those that fit in `room` columns: all, or the first few, dots, and the last two.
std::vector<int> shown_lanes(int room, int cell) {
  std::vector<int> lanes;
  lanes.reserve(32);
  const bool all = 32 * cell <= room;
  const int head = all ? 30 : std::clamp((room - kDotsWidth) / cell - 2, 1, 29);
  for (int lane = 0; lane < head; ++lane) lanes.push_back(lane);
  if (!all) lanes.push_back(-1);
  lanes.insert(lanes.end(), {30, 31});
  return lanes;
}

} // namespace

std::string sector_rows(const device::RequestSample& request, const Terminal& terminal,
                        int indent) {
  const auto active = [&](int lane) { return (request.active >> lane & 1) != 0; };
  std::uint64_t lowest = UINT64_MAX;
  for (int lane = 0; lane < 32; ++lane) {
    if (active(lane)) lowest = std::min(lowest, request.offset[lane]);
  }
  if (lowest == UINT64_MAX) return "";
  const auto base = lowest / kSector * kSector;

  std::array<Cells, 3> rows;
  std::size_t width = 2;
  for (int lane = 0; lane < 32; ++lane) {
    const auto byte = request.offset[lane] - base;
    rows[0].push_back(fmt::format("{}", lane));
    rows[1].push_back(active(lane) ? fmt::format("{}", byte) : "-");
    rows[2].push_back(active(lane) ? fmt::format("{}", byte / kSector) : "-");
    for (const auto& row : rows) width = std::max(width, row.back().size());
  }
  const int cell = static_cast<int>(width) + 2;
  const std::array titles{trc("of a picture", "lane"), trc("of a picture", "byte"),
                          trc("of a picture", "sector")};
  std::size_t title = 0;
  for (const auto& one : titles) title = std::max(title, columns(one));
  const auto lanes = shown_lanes(terminal.columns - indent - static_cast<int>(title), cell);
  std::string out;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    out += std::string(static_cast<std::size_t>(indent), ' ') + padded(titles[row], title);
    for (const int lane : lanes)
      out += lane < 0 ? fmt::format("{:>{}}", "...", kDotsWidth)
                      : fmt::format("{:>{}}", rows[row][lane], cell);
    out += "\n";
  }
  return out;
}

} // namespace course::report
