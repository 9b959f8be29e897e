// The tables of a program's launches.
#pragma once

#include "report/launches/launches.hpp"

#include <string>

namespace course::report {

inline constexpr int kIndent = 2; // of a report

// "copy.cu", printable, of a path.
std::string file_name(const std::string& path);

// Every launch with a row for each line and kind of access; of many kinds of launches a row each,
// and the lines of those that waste most. Or what `shown` asks for.
std::string launches_section(const LaunchReport&, const Terminal&, const Shown&);

} // namespace course::report
