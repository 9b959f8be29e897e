// The value of a PTX number token.
#pragma once

#include "device/code/ptx/module.hpp"

#include <optional>
#include <string_view>

namespace course::ptx {

// "12", "017", "0b101", "0x1f", each with an optional U; "0f3F800000", "0d3FF0000000000000",
// "1.5e-3" (a double). Nothing when it is none of these or does not fit 64 bits.
std::optional<Immediate> number(std::string_view text);

} // namespace course::ptx
