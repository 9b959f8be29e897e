// A shape's name in a sentence: "for a 64 x 96 matrix", "for 1,000 elements".
#pragma once

#include <string>

namespace course::report {

// "64 x 96" becomes "a 64 x 96 matrix"; other shapes say by themselves what they are.
std::string in_words(const std::string& shape);

} // namespace course::report
