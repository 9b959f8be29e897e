// A kernel's name for people.
#pragma once

#include <string>

namespace course::runtime {

// "_Z9transposePfPKfii" as "transpose": demangled, without parameters, template arguments kept,
// safe to print. A name that is not mangled stays.
std::string kernel_title(const std::string& mangled);

} // namespace course::runtime
