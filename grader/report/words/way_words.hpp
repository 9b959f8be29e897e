// How values came that should have come another way, in words.
#pragma once

#include "report/words/check_words.hpp"

namespace course::report {

CheckWords way_words(const judge::Check&, const judge::facts::Astray&);

} // namespace course::report
