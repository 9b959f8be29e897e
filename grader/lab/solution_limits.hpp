// The limits that a solution makes, as lines of an exercise's data: they go to a copy that has no
// solutions, so that all of it is graded there as well.
//
// Each limit becomes a formula of the elements of one array, "ceil(0.09375 * (n) + 57)", where such
// a line goes through what the solution was seen to cost in all shapes, those of some seeds among
// them: it is never below a limit that by_solution.hpp would set, and at most 2 % and 4 above it.
// Where no line does, the shapes with names get a number each, and those that are drawn no limit.
#pragma once

#include "lab/grade.hpp"

#include <string>
#include <variant>

namespace course::lab {

// Of an exercise that asks its solution for limits and not for the answer: text to stand at the end
// of its .toml. "" where it asks for nothing, or where the answer is asked for, too, since then the
// solution is needed to grade anything. Or why the solution cannot be asked. Executes the solution
// in each shape of four seeds.
std::variant<std::string, judge::EndedBy> limits_as_data(const Exercise&, const Tools&);

} // namespace course::lab
