#include "lab/agreement.hpp"

#include "device/model/counted.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace course::lab {
namespace {

using model::RequestKind, model::Memory;
using By = LineTotal::By;
using Key = std::tuple<std::string, std::string, std::uint32_t, model::Use, By>;

Key key(const LineTotal& total) {
  return {total.kernel, total.file, total.line, total.use, total.by};
}

// Where asynchronous copies are. The GPU counts both sides of one as a store to shared memory; the
// emulated device counts its load from global memory apart as well.
using Line = std::tuple<std::string, std::string, std::uint32_t>;
std::set<Line> lines_of_copies(const std::vector<device::LineCounts>& rows) {
  std::set<Line> lines;
  for (const auto& row : rows)
    if (row.kind.access == RequestKind::cp_async) lines.insert({row.kernel, row.file, row.line});
  return lines;
}

// An atomic on a generic address may be of both memories. The GPU has one row for it, of global
// memory by its name; but only shared memory has passes.
std::vector<device::LineCounts> by_memory(const std::vector<device::LineCounts>& rows) {
  std::vector<device::LineCounts> result;
  for (const auto& row : rows) {
    result.push_back(row);
    if (row.kind != model::RequestType{RequestKind::global_atomic, 0} || row.wavefronts == 0)
      continue;
    result.back().wavefronts = result.back().ideal = 0;
    result.push_back(row);
    result.back().kind = {RequestKind::shared_atomic, 4};
    result.back().sectors = 0;
  }
  return result;
}

constexpr const char *kBulk = "bulk ", *kProduct = "wgmma";
constexpr model::Use kOperands{Memory::shared, model::Direction::load};

// The rows that both devices can have of one.
std::vector<LineTotal> totals_of(const device::LineCounts& row) {
  LineTotal total{row.kernel, std::filesystem::path(row.file).filename().string(), row.line,
                  row.kind.use()};
  if (model::is_bulk(row.kind.access)) {
    total.by = By::copies;
    total.requests = row.requests;
  } else if (row.kind.access == RequestKind::wgmma) {
    total.by = By::products;
    total.use = kOperands;
    total.requests = row.requests; // their bytes the GPU does not count
    total.wavefronts = row.wavefronts;
  } else if (total.use.memory == Memory::remote) {
    LineTotal in_all{row.kernel, "", 0, total.use};
    in_all.sectors = row.sectors;
    in_all.remote_lines = row.remote_lines;
    in_all.bytes = row.bytes;
    total.requests = row.requests;
    std::vector<LineTotal> both;
    if (total.requests > 0) both.push_back(std::move(total));
    if (in_all.sectors > 0) both.push_back(std::move(in_all));
    return both;
  } else if (total.use.memory == Memory::shared || total.use.memory == Memory::global) {
    total.wavefronts = row.wavefronts;
    total.ideal = row.ideal;
    total.sectors = row.sectors;
  }
  if (total.wavefronts + total.ideal + total.sectors + total.requests == 0) return {};
  return {total};
}

std::string text(std::uint64_t calculated, std::uint64_t measured, std::string_view what) {
  if (calculated == measured) return "";
  return std::to_string(calculated) + " " + std::string(what) + ", measured " +
         std::to_string(measured);
}

} // namespace

std::string access_of(const LineTotal& total) {
  return total.by == By::products ? kProduct
         : total.by == By::copies ? kBulk + name_of(total.use)
                                  : name_of(total.use);
}

bool read_access(const std::string& name, LineTotal& total) {
  const bool bulk = name.starts_with(kBulk);
  total.by = name == kProduct ? By::products : bulk ? By::copies : By::lanes;
  const auto use = name == kProduct
                       ? kOperands
                       : model::use_named(bulk ? name.substr(std::string(kBulk).size()) : name);
  total.use = use.value_or(model::Use());
  return use.has_value();
}

std::vector<LineTotal> totals(const std::vector<device::LineCounts>& lines) {
  std::map<Key, LineTotal> sums;
  const auto copies = lines_of_copies(lines);
  for (const auto& row : by_memory(lines)) {
    for (const auto& total : totals_of(row)) {
      const bool loads =
          total.by == By::lanes && total.use == model::Use{Memory::global, model::Direction::load};
      if (loads && copies.contains({row.kernel, row.file, row.line})) continue;
      auto& sum = sums.try_emplace(key(total), LineTotal{total.kernel, total.file, total.line,
                                                         total.use, 0, 0, 0, total.by})
                      .first->second;
      model::add_counts(sum, total);
    }
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
    model::for_each_count(
        one, other, [&](const model::KnownCount& known, std::uint64_t mine, std::uint64_t theirs) {
          const auto part = text(mine, theirs, known.word);
          if (!part.empty()) what += (what.empty() ? "" : "; ") + part;
        });
    if (what.empty()) continue;
    const auto& named = one.kernel.empty() ? other : one;
    result.push_back("line " + std::to_string(std::get<2>(name)) + ", " + access_of(named) + ": " +
                     what);
  }
  return result;
}

} // namespace course::lab
