#include "lab/agreement.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace course::lab {
namespace {

using model::Access, model::Memory;
using Key = std::tuple<std::string, std::string, std::uint32_t, model::Use>;

Key key(const LineTotal& total) {
  return {total.kernel, total.file, total.line, total.use};
}

// Where asynchronous copies are. The GPU counts both sides of one as a store to shared memory; the
// emulated device counts its load from global memory apart as well.
using Line = std::tuple<std::string, std::string, std::uint32_t>;
std::set<Line> lines_of_copies(const std::vector<device::LineCounts>& rows) {
  std::set<Line> lines;
  for (const auto& row : rows)
    if (row.kind.access == Access::cp_async) lines.insert({row.kernel, row.file, row.line});
  return lines;
}

// No counter of single instructions sees what a bulk copy moves.
bool is_bulk(Access access) {
  return access >= Access::bulk_shared_load && access <= Access::tensor_global_store;
}

// An atomic on a generic address may be of both memories. The GPU has one row for it, of global
// memory by its name; but only shared memory has passes.
std::vector<device::LineCounts> by_memory(const std::vector<device::LineCounts>& rows) {
  std::vector<device::LineCounts> result;
  for (const auto& row : rows) {
    result.push_back(row);
    if (row.kind != model::Kind{Access::global_atomic, 0} || row.wavefronts == 0) continue;
    result.back().wavefronts = result.back().ideal = 0;
    result.push_back(row);
    result.back().kind = {Access::shared_atomic, 4};
    result.back().sectors = 0;
  }
  return result;
}

std::string text(std::uint64_t calculated, std::uint64_t measured, const char* what) {
  if (calculated == measured) return "";
  return std::to_string(calculated) + " " + what + ", measured " + std::to_string(measured);
}

} // namespace

std::vector<LineTotal> totals(const std::vector<device::LineCounts>& lines) {
  std::map<Key, LineTotal> sums;
  const auto copies = lines_of_copies(lines);
  for (const auto& row : by_memory(lines)) {
    const auto use = row.kind.use();
    if (use.memory != Memory::shared && use.memory != Memory::global) continue;
    if (is_bulk(row.kind.access)) continue;
    const bool loads = use == model::Use{Memory::global, model::Direction::load};
    if (loads && copies.contains({row.kernel, row.file, row.line})) continue;
    if (row.wavefronts + row.ideal + row.sectors == 0) continue;
    LineTotal total{row.kernel, std::filesystem::path(row.file).filename().string(), row.line, use};
    auto& sum = sums.try_emplace(key(total), total).first->second;
    sum.wavefronts += row.wavefronts;
    sum.ideal += row.ideal;
    sum.sectors += row.sectors;
  }
  std::vector<LineTotal> result;
  result.reserve(sums.size());
  for (auto& [name, sum] : sums) result.push_back(std::move(sum));
  return result;
}

std::vector<std::string> differences(const std::vector<LineTotal>& calculated,
                                     const std::vector<LineTotal>& measured) {
  std::map<Key, std::pair<LineTotal, LineTotal>> both;
  for (const auto& total : calculated) both[key(total)].first = total;
  for (const auto& total : measured) both[key(total)].second = total;
  std::vector<std::string> result;
  for (const auto& [name, pair] : both) {
    const auto& [one, other] = pair;
    std::string what;
    for (const auto& part :
         {text(one.wavefronts, other.wavefronts, "wavefronts"),
          text(one.ideal, other.ideal, "ideal"), text(one.sectors, other.sectors, "sectors")}) {
      if (!part.empty()) what += (what.empty() ? "" : "; ") + part;
    }
    if (what.empty()) continue;
    result.push_back("line " + std::to_string(std::get<2>(name)) + ", " +
                     name_of(std::get<3>(name)) + ": " + what);
  }
  return result;
}

} // namespace course::lab
