// What rooms below make of numbers, names and fixed words, said in the reader's language by its
// form: the text with {} for each number, and for each name, which stands in '' or ``.
// po/messages.py finds the forms in the sources of those rooms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace course::report {

// "3 tiles of 32 x 33" by the translation of "{} tiles of {} x {}"; nothing where there is none.
std::optional<std::string> said_by_form(const char* context, const std::string& text);

// A reason, clause by clause where it is none as a whole: "turn: 2,048 threads per block; this
// device allows 1,024". What has no translation (a name, words of nvcc's) stays as it is.
std::string reason_in_words(const std::string& text);

// A call that is not available, or what of it is not: "cudaMallocArray for cube maps".
std::string call_in_words(const std::string& call);

// What a compiler said, line by line: its own words stay, and the grader's are the reader's.
std::string compiler_in_words(std::string_view text);

} // namespace course::report
