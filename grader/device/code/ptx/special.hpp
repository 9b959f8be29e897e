// The names of PTX's special registers.
#pragma once

#include <string_view>

namespace course::ptx {

// "%tid.x", "%lanemask_lt", "%clock64": those of PTX ISA 9.0.
bool is_special(std::string_view name);

} // namespace course::ptx
