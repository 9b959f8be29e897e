// A kernel's name as its author wrote it.
#pragma once

#include <string>
#include <string_view>

namespace course::code {

// "_Z9transposePfPKfii" as "transpose", "_Z4tileILi32EEvPf" as "tile<32>": demangled, without
// result and parameters. A name that is not mangled stays; bytes that do not print become "?", and
// at most 500 bytes are kept.
std::string display_name(std::string_view mangled);

} // namespace course::code
