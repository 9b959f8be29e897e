// A student's file, changed at random: the same seed, the same change.
//
// Three quarters of the files have slips (slips.hpp), so that most of them compile and do something
// else; the rest has pieces of other files, bytes that are no text, and what no compiler should
// see.
#pragma once

#include <cstdint>
#include <string>

namespace course::trust {

// `other`: a file from which pieces may come.
std::string mutated(const std::string& text, const std::string& other, std::uint64_t seed);

} // namespace course::trust
