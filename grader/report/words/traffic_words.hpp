// Shared traffic in words: in a unit that says all its numbers exactly.
#pragma once

#include "report/words/check_words.hpp"

namespace course::report {

CheckWords traffic_words(const judge::Check&, const judge::facts::SharedTraffic&);

} // namespace course::report
