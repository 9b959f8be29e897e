// References of what lanes of a warp tell each other: shfl, vote, match, redux, activemask, elect.
//
// Written from the PTX ISA 9.0, separately from the interpreter, for one lane at a time.
#pragma once

#include "device/emulator/differential/reference.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace course::emulator::differential {

// One lane's view of the instruction; `group` are the lanes that execute it with the same members.
struct LaneSources {
  Bits value = 0;   // a
  Bits operand = 0; // b of shfl
  Bits control = 0; // c of shfl
  bool predicate = false;
  std::uint32_t group = 0;
  std::uint32_t active = 0; // all lanes that execute it now, whatever their members
};
using WarpSources = std::array<LaneSources, 32>;

struct LaneResult {
  Bits value = 0;
  bool predicate = false;
  bool defined = true; // false: reads a lane that is not in its group
};

using WarpReference = LaneResult (*)(const Name&, const WarpSources&, std::uint32_t lane);

struct WarpForm {
  std::string name;
  WarpReference reference;
  const char* operands;                                               // letters as in Form
  enum class Second { none, optional, always } second = Second::none; // the p of d|p
};
const std::vector<WarpForm>& warp_forms();

} // namespace course::emulator::differential
