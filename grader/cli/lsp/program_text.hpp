// Whether a source file is a program, or a part of one.
#pragma once

#include <string_view>

namespace course::cli {

// That it defines main(), outside of comments and strings.
bool has_main(std::string_view source);

} // namespace course::cli
