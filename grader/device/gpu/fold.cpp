#include "device/gpu/fold.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/gpu/beyond_banks.hpp"
#include "device/model/counted.hpp"

#include <map>
#include <set>
#include <tuple>

namespace course::gpu {
namespace {

using model::RequestKind;

// As they are shown. Lanes of one generic access may go to both memories; then each has its part.
std::vector<InstructionCounts> by_memory(const InstructionCounts& counts) {
  const bool loads = counts.kind.access == RequestKind::generic_load;
  if (!loads && counts.kind.access != RequestKind::generic_store) return {counts};
  auto shared = counts, global = counts;
  shared.kind.access = loads ? RequestKind::shared_load : RequestKind::shared_store;
  shared.sectors = 0;
  global.kind.access = loads ? RequestKind::global_load : RequestKind::global_store;
  global.wavefronts = global.ideal = 0;
  if (counts.wavefronts == 0) return {global};
  if (counts.sectors == 0) return {shared};
  return {shared, global};
}

// What no bank serves has rows of its own. Of an instruction that did nothing else there is no
// more.
std::vector<InstructionCounts> resolved(InstructionCounts counts) {
  auto rows = take_beyond_banks(counts);
  const bool knew = model::is_bulk(counts.kind.access) ||
                    counts.kind.access == RequestKind::wgmma ||
                    counts.kind.is_on(model::Memory::remote);
  if (!rows.empty() && (knew || counts.wavefronts + counts.sectors == 0)) return rows;
  for (auto& row : by_memory(counts)) rows.push_back(std::move(row));
  return rows;
}

bool is_access(const InstructionCounts& counts, RequestKind access) {
  return counts.does == InstructionCounts::Does::access && counts.kind.access == access;
}

} // namespace

void join_atomic_loops(std::vector<InstructionCounts>& instructions) {
  std::set<std::tuple<std::string, std::uint32_t, int>> loops; // kernel, PTX line, width
  for (const auto& counts : instructions) {
    if (counts.ptx_line != 0 && is_access(counts, RequestKind::shared_atomic_loop))
      loops.insert({counts.kernel, counts.ptx_line, counts.kind.width});
  }
  for (auto& counts : instructions) {
    if (is_access(counts, RequestKind::shared_load) &&
        loops.contains({counts.kernel, counts.ptx_line, counts.kind.width}))
      counts.kind.access = RequestKind::shared_atomic_loop;
  }
}

std::vector<device::LineCounts> fold(const std::vector<InstructionCounts>& instructions) {
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::string>;
  std::map<Key, device::LineCounts> lines;
  for (const auto& instruction : instructions) {
    if (instruction.does != InstructionCounts::Does::access ||
        instruction.kind.is_on(model::Memory::constant))
      continue;
    for (const auto& counts : resolved(instruction)) {
      auto& line = lines[{counts.kernel, counts.file, counts.line, name_of(counts.kind)}];
      line.kernel = code::display_name(counts.kernel);
      line.file = counts.file;
      line.line = counts.line;
      line.kind = counts.kind;
      line.requests += counts.executed;
      model::add_counts(line, counts);
    }
  }
  std::vector<device::LineCounts> result;
  result.reserve(lines.size());
  for (auto& [key, line] : lines) result.push_back(std::move(line));
  return result;
}

} // namespace course::gpu
