// The checks that judge makes of executions, by their kind.
#pragma once

#include "judge/execution.hpp"

#include <optional>

namespace course::judge {

// A function for each row of checks.def that says so: Check check_NAME(Executions).
#define COURSE_MADE_judged(name) Check check_##name(Executions);
#define COURSE_MADE_number(name)
#define COURSE_MADE_elsewhere(name)
#define COURSE_CHECK(name, part, maker, shown, limits, ...) COURSE_MADE_##maker(name)
#include "judge/checks.def"
#undef COURSE_MADE_judged

// What that function says, or check_counted of a number; nothing for what is made elsewhere.
std::optional<Check> check_known(CheckKind, Executions);

} // namespace course::judge
