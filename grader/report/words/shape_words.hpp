// A shape's name in a sentence: "for a 64 x 96 matrix", "for 1,000 elements".
#pragma once

#include "judge/shape.hpp"

#include <cstdint>
#include <string>

namespace course::report {

// A matrix of 64 x 96 is "a 64 x 96 matrix"; other shapes say by themselves what they are. Their
// names come from labs/ and have translations by their words, whatever the numbers in them:
// po/README.md.
std::string in_words(const judge::Shape&);
// The same shape by its name: "64 x 96".
std::string called(const judge::Shape&);

// Whether so many elements are what the shape is called by: "4,096 elements".
bool counts_elements(const judge::Shape&, std::uint64_t elements);

} // namespace course::report
