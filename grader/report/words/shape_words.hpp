// A shape's name in a sentence: "for a 64 x 96 matrix", "for 1,000 elements".
#pragma once

#include <cstdint>
#include <string>

namespace course::report {

// "64 x 96" becomes "a 64 x 96 matrix"; other shapes say by themselves what they are. Their names
// come from labs/ and have translations by their words, whatever the numbers in them: po/README.md.
std::string in_words(const std::string& shape);
// The same shape by its name: "64 x 96" stays "64 x 96".
std::string called(const std::string& shape);
inline std::string in_words(const char* shape) {
  return in_words(std::string(shape));
}

// Whether so many elements are what the shape is called by: "4,096 elements".
bool counts_elements(const std::string& shape, std::uint64_t elements);

} // namespace course::report
