#include "device/emulator/findings.hpp"

namespace course::emulator {

void Findings::add(const Findings& others) {
  for (const auto& [place, entry] : others.entries_) {
    const auto [mine, inserted] = entries_.try_emplace(place, entry);
    if (inserted) continue;
    const std::uint64_t count = mine->second.finding.count + entry.finding.count;
    if (entry.block < mine->second.block) mine->second = entry;
    mine->second.finding.count = count;
  }
}

} // namespace course::emulator
