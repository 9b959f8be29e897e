#include "device/emulator/block.hpp"

#include "device/emulator/launch.hpp"

namespace course::emulator {

device::Dim3 Block::thread(const Warp& warp, std::uint32_t lane) const {
  const device::Dim3& size = launch->block;
  const std::uint32_t number = warp.index * kLanes + lane;
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

void Block::describe(const Findings::Place& place, const Warp& warp, std::uint32_t lane,
                     std::string message) {
  const Program& program = *launch->program;
  const Site& site = program.sites()[place.site];
  device::Finding finding;
  finding.kind = place.kind;
  finding.message = std::move(message);
  finding.kernel = launch->entry->shown;
  finding.file = program.file_of(site.source);
  finding.line = site.source.line;
  if (place.other_site != kNone) finding.other_line = program.sites()[place.other_site].source.line;
  finding.block = index;
  finding.thread = thread(warp, lane);
  findings.describe(place, linear, std::move(finding));
}

void Block::fail(device::FindingKind kind, const ptx::SourceLine& source, const Warp& warp,
                 std::uint32_t lane, std::string message, const ptx::SourceLine& other) {
  device::Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.kernel = launch->entry->shown;
  finding.file = launch->program->file_of(source);
  finding.line = source.line;
  finding.other_line = other.line;
  finding.block = index;
  finding.thread = thread(warp, lane);
  finding.fatal = true;
  // Sites below every access's: a fatal finding never meets another of its place.
  findings.describe({kind, kNone, kNone}, linear, std::move(finding));
  ended = true;
}

std::string text(const device::Dim3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

std::string lanes_text(std::uint32_t mask) {
  std::string result;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    if (!result.empty()) result += ", ";
    result += std::to_string(lane);
    if (last > lane) result += "-" + std::to_string(last);
    lane = last;
  }
  return result;
}

} // namespace course::emulator
