#include "device/gpu/fold.hpp"

#include "device/code/inspect/display_name.hpp"

#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace course::gpu {
namespace {

// As they are shown. Lanes of one generic access may go to both memories; then each has its part.
std::vector<InstructionCounts> resolved(const InstructionCounts& counts) {
  constexpr std::string_view kGeneric = "generic_";
  if (!counts.access.starts_with(kGeneric)) return {counts};
  auto shared = counts, global = counts;
  shared.access = "shared_" + counts.access.substr(kGeneric.size());
  shared.sectors = 0;
  global.access = "global_" + counts.access.substr(kGeneric.size());
  global.wavefronts = global.ideal = 0;
  if (counts.wavefronts == 0) return {global};
  if (counts.sectors == 0) return {shared};
  return {shared, global};
}

bool touches_memory(const InstructionCounts& counts) {
  return !counts.access.empty() && counts.access != "barrier" && counts.access != "shuffle" &&
         !counts.access.starts_with("constant_");
}

} // namespace

void join_atomic_loops(std::vector<InstructionCounts>& instructions) {
  constexpr std::string_view kLoop = "shared_atomic_loop_", kLoad = "shared_load_";
  std::set<std::tuple<std::string, std::uint32_t, std::string>> loops; // kernel, PTX line, width
  for (const auto& counts : instructions) {
    if (counts.ptx_line != 0 && counts.access.starts_with(kLoop))
      loops.insert({counts.kernel, counts.ptx_line, counts.access.substr(kLoop.size())});
  }
  for (auto& counts : instructions) {
    if (!counts.access.starts_with(kLoad)) continue;
    const std::string width = counts.access.substr(kLoad.size());
    if (loops.count({counts.kernel, counts.ptx_line, width}))
      counts.access = std::string(kLoop) + width;
  }
}

std::vector<device::LineCounts> fold(const std::vector<InstructionCounts>& instructions) {
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::string>;
  std::map<Key, device::LineCounts> lines;
  for (const auto& instruction : instructions) {
    if (!touches_memory(instruction)) continue;
    for (const auto& counts : resolved(instruction)) {
      auto& line = lines[{counts.kernel, counts.file, counts.line, counts.access}];
      line.kernel = code::display_name(counts.kernel);
      line.file = counts.file;
      line.line = counts.line;
      line.access = counts.access;
      line.requests += counts.executed;
      line.wavefronts += counts.wavefronts;
      line.ideal += counts.ideal;
      line.sectors += counts.sectors;
    }
  }
  std::vector<device::LineCounts> result;
  result.reserve(lines.size());
  for (auto& [key, line] : lines) result.push_back(std::move(line));
  return result;
}

} // namespace course::gpu
