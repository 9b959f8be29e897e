#include "judge/counts.hpp"

#include "device/model/counted.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace course::judge {

using model::Direction, model::Memory;

namespace {

// Conflicts (shared) or sectors (global). Not those of a request: a small shape may have one that
// is worse than any, and no other like it.
std::uint64_t weight(const device::LineCounts& line) {
  return line.conflicts() + line.sectors;
}

void accumulate(device::LineCounts& sum, const device::LineCounts& line) {
  model::add_counts(sum, line);
  for (std::size_t n = 0; n < sum.ways.size(); ++n) sum.ways[n] += line.ways[n];
  sum.width_from_sass = sum.width_from_sass && line.width_from_sass;
  sum.at_least = sum.at_least || line.at_least;
  sum.conflicts_at_least = sum.conflicts_at_least || line.conflicts_at_least;
  sum.may_fill = sum.may_fill || line.may_fill;
}

} // namespace

void Traffic::add(const device::LineCounts& line) {
  model::add_counts(*this, line);
  at_least = at_least || line.at_least;
}

std::uint64_t Counts::shared_requests() const {
  return shared_loads.requests + shared_stores.requests + shared_atomics.requests;
}

std::uint64_t Counts::global_requests() const {
  return global_loads.requests + global_stores.requests;
}

namespace {

// In units of 32 words, as Traffic::ideal: of a request by all lanes, or of the bytes of a bulk
// copy.
std::uint64_t units_of_remote(const device::LineCounts& line) {
  constexpr int kWord = 4, kUnit = 128;
  if (line.kind.width == 0) return (line.bytes + kUnit - 1) / kUnit;
  return line.requests * static_cast<std::uint64_t>(std::max(1, line.kind.width / kWord));
}

} // namespace

Counts count(const device::Observation& observed, Rows rows) {
  Counts counts;
  for (const auto& line : observed.lines) {
    if (rows == Rows::from_sass && !line.width_from_sass) continue;
    counts.conflicts += line.conflicts();
    counts.conflicts_at_least = counts.conflicts_at_least || line.conflicts_at_least;
    counts.replays += line.replays;
    const auto [memory, direction] = line.kind.use();
    if (memory == Memory::shared) {
      auto& traffic = direction == Direction::load    ? counts.shared_loads
                      : direction == Direction::store ? counts.shared_stores
                                                      : counts.shared_atomics;
      traffic.add(line);
    } else if (memory == Memory::global) {
      auto& traffic = direction == Direction::load ? counts.global_loads : counts.global_stores;
      traffic.add(line);
    } else if (memory == Memory::remote && direction != Direction::atomic) {
      // A tile in another block of the cluster is a tile: only the words that move count, as no
      // bank is asked there.
      auto& traffic = direction == Direction::load ? counts.shared_loads : counts.shared_stores;
      traffic.ideal += units_of_remote(line);
    }
  }
  for (const auto& launch : observed.launches) {
    ++counts.launches;
    counts.threads += launch.grid.count() * launch.block.count();
    counts.shared_bytes = std::max(counts.shared_bytes, launch.shared_bytes);
    counts.instructions += launch.instructions;
    counts.barriers += launch.barriers;
    counts.shuffles += launch.shuffles - (rows == Rows::from_sass ? launch.shuffles_in_ptx : 0);
  }
  return counts;
}

std::vector<device::LineCounts> merge(const std::vector<device::LineCounts>& lines) {
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::string>;
  struct Sum {
    device::LineCounts line;
    std::uint64_t most; // weight of the row that gave its sample
  };
  std::map<Key, Sum> sums;
  for (const auto& line : lines) {
    const auto [at, fresh] = sums.try_emplace(
        {line.kernel, line.file, line.line, name_of(line.kind)}, Sum{line, weight(line)});
    if (fresh) continue;
    auto& [sum, most] = at->second;
    accumulate(sum, line);
    if (weight(line) <= most) continue;
    most = weight(line);
    sum.worst = line.worst;
    sum.array = line.array;
  }
  std::vector<device::LineCounts> merged;
  merged.reserve(sums.size());
  for (auto& [key, sum] : sums) merged.push_back(std::move(sum.line));
  return merged;
}

unsigned ways(const device::LineCounts& line) {
  for (unsigned n = line.ways.size() - 1; n > 0; --n) {
    if (line.ways[n] > 0) return n;
  }
  return 0;
}

} // namespace course::judge
