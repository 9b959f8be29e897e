// A systemd user scope around a program: the kernel then bounds the sum of what its processes take,
// where all other limits bind each process by itself.
#pragma once

#include "sandbox/process.hpp"

#include <string>
#include <vector>

namespace course::sandbox {

// Whether this user has a service manager that makes scopes; tried once, then remembered. In
// containers there is none as a rule.
bool scopes_work();

// What comes before the keeper's command line, and the environment that it needs to find the
// manager. systemd-run becomes the keeper: the same process, the same descriptors.
std::vector<std::string> scope_words(const Limits&);
std::vector<std::string> scope_environment();

} // namespace course::sandbox
