// A verdict for a person at a terminal: one line a check, then the one thing to look at, in the
// student's own source, then a question that leads on, then points and what to do next.
#pragma once

#include "judge/verdict.hpp"
#include "report/text.hpp"

#include <string>
#include <string_view>

namespace course::report {

// `source`: the student's file, for quoting. No line is wider than the terminal, but for what nvcc
// said, which is passed on as it is; no byte of the student's reaches the terminal as a control.
std::string terminal(const judge::Verdict&, std::string_view source, const Terminal&);

} // namespace course::report
