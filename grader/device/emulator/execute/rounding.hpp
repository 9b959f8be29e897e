// The processor's rounding mode, switched for the 32 lanes of an instruction.
#pragma once

#include "device/emulator/decode/operation.hpp"

#include <cfenv>

namespace course::emulator {

// kMode: of <cfenv>. CMakeLists.txt compiles what includes this with -frounding-math.
template <Execute kBody, int kMode>
void with_rounding(Warp& warp, const Operation& op, std::uint32_t mask) {
  // Volatile, so that the body is called between the two switches and not moved around them.
  const Execute volatile body = kBody;
  std::fesetround(kMode);
  body(warp, op, mask);
  std::fesetround(FE_TONEAREST);
}

} // namespace course::emulator
