// What differs between two texts, line by line, as `diff -u` shows it.
#pragma once

#include "report/text.hpp"

#include <string>
#include <string_view>

namespace course::progress {

// Each difference with up to three equal lines around it; empty when the texts are equal. Lines
// that are wider than the terminal are cut, and end in "...".
std::string line_diff(std::string_view before, std::string_view after, const report::Terminal&);

} // namespace course::progress
