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

// The same without its first lines (the exercise, the device) and its last (points, what next), for
// a screen that shows those itself. Where it has more than `rows` lines, the checks that passed
// share one; it may still have more.
std::string terminal_body(const judge::Verdict&, std::string_view source, const Terminal&,
                          std::size_t rows);

} // namespace course::report
