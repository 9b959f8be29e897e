// A variable's name as its author wrote it.
#pragma once

#include <string>

namespace course::code {

// "tile" for _ZZ14transpose_tilePfPKfiiE4tile. A name that is not mangled is itself.
std::string variable_name(const std::string& mangled);

} // namespace course::code
