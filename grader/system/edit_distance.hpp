// How far two words are apart.
#pragma once

#include <cstddef>
#include <string_view>

namespace course::system {

// The edits (a letter put in, taken out, or changed) between two words. Time is the product of
// their lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

} // namespace course::system
