// Symbols' names as their authors wrote them, with a bound on what that costs.
//
// A mangled name refers back to parts of itself, so that each few characters can double the text:
// of 300 characters come gigabytes. The C++ library's demangler has no limit.
#pragma once

#include <string>
#include <string_view>

namespace course::system {

// "transpose(float*, float const*, int)" for "_Z9transposePfPKfi". A name that is not mangled comes
// back as it is, and so does one whose text would be too long.
std::string demangled(std::string_view name);

// The same, but a name whose text may be much longer than itself stays as it is, and no process is
// started to find out.
std::string demangled_if_simple(std::string_view name);

} // namespace course::system
