// What this process was told by its environment.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace course::system {

// The variable's value; nothing when it is not set. May be empty.
std::optional<std::string> environment(const char* name);

// Those of these variables that are set, as a program is given them: "NAME=value".
std::vector<std::string> environment_of(std::initializer_list<const char*> names);

// All of this process's, with these in the place of its own, as a program is given them.
std::vector<std::string>
environment_with(std::initializer_list<std::pair<const char*, std::string>> others);

} // namespace course::system
