// Replays of a constant-memory load whose lanes ask for different words.
//
// Rule, measured on an H200 for 4-byte loads (data/README.md): one replay for each distinct word
// after the first. For 8 and 16 bytes, which were not measured, a lane's whole element counts as
// its word, so that lanes that agree have no replay.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

// Offsets in bytes from the start of the constant bank. 0 when no lane is active.
int constant_replays(std::uint32_t active, int width,
                     const std::array<std::uint32_t, kLanes>& offset);

} // namespace course::model
