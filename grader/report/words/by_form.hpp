// What rooms below make of numbers and fixed words, said in the reader's language by its form: the
// text with {} for each number.
#pragma once

#include <optional>
#include <string>

namespace course::report {

// "3 tiles of 32 x 33" by the translation of "{} tiles of {} x {}"; nothing where there is none.
std::optional<std::string> said_by_form(const char* context, const std::string& text);

} // namespace course::report
