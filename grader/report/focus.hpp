// The one thing to look at: the failed check that explains most, in the student's own source.
#pragma once

#include "judge/verdict.hpp"
#include "report/text.hpp"

#include <string>
#include <string_view>

namespace course::report {

// A kernel that was ended comes first, then memory (a race explains a wrong output), then the
// output, then the rest in order. nullptr when nothing failed.
const judge::Check* focus_of(const judge::Verdict&);

// Heading, quoted source, picture and question for that check; whole lines, blank lines between.
// Empty when nothing failed.
std::string focus(const judge::Verdict&, std::string_view source, const Terminal&);

// The same for any check that failed.
std::string about(const judge::Verdict&, const judge::Check&, std::string_view source,
                  const Terminal&);

} // namespace course::report
