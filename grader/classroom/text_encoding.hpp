// Names and tables in whatever encoding they come: as UTF-8, and as something to compare.
#pragma once

#include <string>
#include <string_view>

namespace course::classroom {

// UTF-8 stays as it is, without its byte order mark; UTF-16 with its mark is converted; anything
// else is taken for Windows-1252, of which Latin-1 is a part: archives and tables of older
// programs.
std::string utf8_of(std::string_view bytes);

// What two spellings of a name have in common: lower case, no accents (composed or not), nothing
// but letters and digits. "Müller, Jörg", "muller jorg" and "MULLERJORG" are one. Letters of other
// scripts stay as they are.
std::string folded(std::string_view name);

} // namespace course::classroom
