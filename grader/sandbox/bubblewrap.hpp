// The command line of bubblewrap for an order: a file system with nothing in it but what is needed.
#pragma once

#include "sandbox/keeper_order.hpp"

namespace course::sandbox {

// The working folder of a program that asked for none, inside; it exists nowhere outside.
inline constexpr const char* kBox = "/box";

// bwrap, or empty where it is not installed.
std::filesystem::path bubblewrap_program();

// `bwrap … -- /keeper first ORDER`. The order must not ask for landlock.
std::vector<std::string> bubblewrap(const Order&, const std::filesystem::path& keeper);

} // namespace course::sandbox
