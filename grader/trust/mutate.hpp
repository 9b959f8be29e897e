// A student's file, changed at random: the same seed, the same change.
//
// Half of the changes are what slips and typing make of a program (a number, an operator, a line
// lost or doubled), so that most of them compile and do something else; the rest is what no
// compiler should see.
#pragma once

#include <cstdint>
#include <string>

namespace course::trust {

// `other`: a file from which pieces may come.
std::string mutated(const std::string& text, const std::string& other, std::uint64_t seed);

} // namespace course::trust
