// What a verdict says beside the point.
#pragma once

#include "judge/verdict.hpp"

#include <string>
#include <vector>

namespace course::report {

// Verdict::notes, and what is mentioned though it is not graded. Sentences without a full stop.
std::vector<std::string> notes(const judge::Verdict&);

std::string words(const judge::Note&); // one of them

} // namespace course::report
