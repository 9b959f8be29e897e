// The patterns of data/remote_patterns.csv: where the lanes of a request to a cluster's blocks go.
#pragma once

#include "device/model/request.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

namespace course::model {

// Bytes from the beginning of a block's memory; where each lane asks a block of its own choice,
// with that block's rank above this bit.
using RemoteOffsets = std::array<std::uint32_t, kLanes>;
inline constexpr std::uint32_t kRemoteRankShift = 24;

// Of a pattern that has a name.
inline std::optional<std::uint32_t> remote_offset(const std::string& pattern, std::uint32_t lane) {
  if (pattern.starts_with("stride"))
    return lane * 4 * static_cast<std::uint32_t>(std::strtoul(pattern.c_str() + 6, nullptr, 10));
  if (pattern == "broadcast") return 0;
  if (pattern == "2 lines same banks") return lane % 16 * 4 + lane / 16 * 128;
  if (pattern == "4 lines no bank shared") return lane * 4 + lane / 8 * 128;
  if (pattern == "reversed") return 124 - lane * 4;
  if (pattern == "offset 64") return lane * 4 + 64;
  return {};
}

// A name, or "offsets 32 44 56 …" with "3:128" for offset 128 of block 3; lanes that are not listed
// have 0. Nothing where it is neither.
inline std::optional<RemoteOffsets> remote_offsets(const std::string& pattern) {
  const std::string listed = "offsets ";
  RemoteOffsets offsets{};
  if (!pattern.starts_with(listed)) {
    for (std::uint32_t lane = 0; lane < offsets.size(); ++lane) {
      const auto offset = remote_offset(pattern, lane);
      if (!offset) return {};
      offsets[lane] = *offset;
    }
    return offsets;
  }
  std::istringstream text(pattern.substr(listed.size()));
  for (std::uint32_t lane = 0; lane < offsets.size(); ++lane) {
    if (!(text >> offsets[lane])) return lane == 0 ? std::nullopt : std::optional(offsets);
    if (text.peek() != ':') continue;
    std::uint32_t place = 0;
    if (!(text.ignore() >> place)) return {};
    offsets[lane] = offsets[lane] << kRemoteRankShift | place;
  }
  return offsets;
}

} // namespace course::model
