// Unicode writes one letter in several ways: "\u00e9" is "e" and an accent, too. macOS keeps names
// in the second form, other systems as they were typed.
#pragma once

#include <string>

namespace course::classroom {

// The code point in its parts, as far as it has any (canonical decomposition; Chinese characters
// that are there for compatibility stay as they are).
void append_parts(std::u32string& text, char32_t point);

// Accents that follow a letter, in one order: a reader cannot tell in which they were written.
void sort_marks(std::u32string& text);

} // namespace course::classroom
