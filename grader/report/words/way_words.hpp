// How values came that should have come another way, in words.
#pragma once

#include "report/words/check_words.hpp"

namespace course::report {

CheckWords way_words(const judge::Check&, const judge::facts::Astray&);
// What an answer has to be made of, and what is too often or too seldom in it.
CheckWords uses_words(const judge::Check&, const judge::facts::Uses&);

} // namespace course::report
