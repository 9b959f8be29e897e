// What Autolab reads from an autograder's output: the last line, with a score for each problem.
//
// A line before it, marked "semantic", has stages and hints that Autolab shows as a table. Problems
// in Autolab have to have the exercises' ids as names.
#pragma once

#include "report/graded.hpp"

namespace course::report {

// Both lines, each with its newline.
std::string autolab(const GradedStudent&);

} // namespace course::report
