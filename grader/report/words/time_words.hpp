// A timed launcher in words.
#pragma once

#include "report/words/check_words.hpp"

namespace course::report {

CheckWords time_words(const judge::facts::Timed&);
CheckWords time_words(const judge::facts::Untimed&);

} // namespace course::report
