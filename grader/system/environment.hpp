// What this process was told by its environment.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace course::system {

// The variable's value; nothing when it is not set. May be empty.
std::optional<std::string> environment(const char* name);

// Those of these variables that are set, as a program is given them: "NAME=value".
std::vector<std::string> environment_of(std::initializer_list<const char*> names);

} // namespace course::system
