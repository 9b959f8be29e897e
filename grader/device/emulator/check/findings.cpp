#include "device/emulator/check/findings.hpp"

#include "device/message_id.hpp"

#include <algorithm>
#include <set>

namespace course::emulator {

void Findings::add(const Findings& others) {
  for (const auto& [place, entry] : others.entries_) {
    const auto [mine, inserted] = entries_.try_emplace(place, entry);
    if (inserted) continue;
    const std::uint64_t count = mine->second.finding.count + entry.finding.count;
    const bool across = mine->second.across_warps || entry.across_warps;
    if (entry.block < mine->second.block) mine->second = entry;
    mine->second.finding.count = count;
    mine->second.across_warps = across;
  }
}

namespace {

void replace(device::Message& message, device::MessageId what, device::MessageId by) {
  if (message.id == what) message.id = by;
  for (device::Part& part : message.parts)
    if (auto* inner = std::get_if<device::Message>(&part.value)) replace(*inner, what, by);
}

} // namespace

void Findings::settle_advice() {
  for (auto& [place, entry] : entries_)
    if (entry.across_warps)
      replace(entry.finding.message, device::MessageId::no_warp_barrier,
              device::MessageId::no_barrier);
}

void Findings::add_unknown(const Findings& others) {
  for (const auto& [place, entry] : others.entries_)
    if (!entry.finding.fatal) entries_.try_emplace(place, entry);
}

void Findings::drop_moot_notes() {
  std::set<std::uint32_t> racing; // sites
  for (const auto& [place, entry] : entries_)
    if (place.kind == device::FindingKind::race) racing.insert({place.site, place.other_site});
  last_ = {};
  std::erase_if(entries_, [&](const auto& each) {
    const Place& place = each.first;
    return device::is_note(place.kind) &&
           (racing.contains(place.site) || racing.contains(place.other_site));
  });
}

void merge_finding(std::vector<device::Finding>& findings, const device::Finding& finding) {
  const auto same = [&](const device::Finding& kept) {
    return kept.kind == finding.kind && kept.line == finding.line &&
           kept.other_line == finding.other_line && kept.file == finding.file &&
           kept.kernel == finding.kernel && kept.fatal == finding.fatal &&
           kept.survived == finding.survived;
  };
  const auto alike = [&](const device::Finding& kept) { // notes take no place from what is wrong
    return device::is_note(kept.kind) == device::is_note(finding.kind);
  };
  const auto kept = std::find_if(findings.begin(), findings.end(), same);
  if (kept != findings.end())
    kept->count += finding.count;
  else if (std::ranges::count_if(findings, alike) < std::ptrdiff_t{kMostFindings} || finding.fatal)
    findings.push_back(finding);
}

} // namespace course::emulator
