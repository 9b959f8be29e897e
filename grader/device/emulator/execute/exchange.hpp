// Exchanges between the lanes of a warp: shfl, vote, match, redux, activemask, elect.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <array>
#include <string>
#include <vector>

namespace course::emulator {

// By full name ("shfl.sync.down.b32"); nullptr when there is none. Slots: result, the PTX sources
// in order, and in the last slot the predicate p of d|p.
//
// shfl: value, lane or distance, clamp and segment; members.   vote: predicate; members.
// match: value; members.   redux: value; members.
struct Exchange {
  Execute execute = nullptr;
  const char* operands = ""; // letters as in Form
  bool pair = false;
  bool counts_as_shuffle = false;
};
const Exchange* exchange_operation(const std::string& name);
std::vector<std::string> exchange_names(); // sorted

inline constexpr int kPairSlot = 5;

// Whose value each lane gets by a shuffle of `lanes`.
std::array<std::uint8_t, kLanes> shuffled_from(const Warp&, const Operation&, std::uint32_t lanes);

} // namespace course::emulator
