// What a program of the system prints. For programs that are trusted, such as git; a student's go
// through sandbox/.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace course::progress {

// Standard output of `arguments`, the first of which is looked for in PATH. Nothing when it could
// not be started, failed, or printed more than 16 MB. It reads nothing, and its messages go
// nowhere.
std::optional<std::string> output_of(const std::vector<std::string>& arguments);

} // namespace course::progress
