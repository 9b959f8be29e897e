#include "device/emulator/findings.hpp"

#include <algorithm>

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

void merge_finding(std::vector<device::Finding>& findings, const device::Finding& finding) {
  const auto same = [&](const device::Finding& kept) {
    return kept.kind == finding.kind && kept.line == finding.line &&
           kept.other_line == finding.other_line && kept.file == finding.file &&
           kept.kernel == finding.kernel && kept.fatal == finding.fatal;
  };
  const auto kept = std::find_if(findings.begin(), findings.end(), same);
  if (kept != findings.end())
    kept->count += finding.count;
  else if (findings.size() < kMostFindings || finding.fatal)
    findings.push_back(finding);
}

} // namespace course::emulator
