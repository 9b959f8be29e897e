// Secrets that open doors: 64 digits, drawn by the kernel.
#pragma once

#include <string>

namespace course::serve {

std::string new_secret();
bool is_secret(const std::string& text); // has the form of one

} // namespace course::serve
