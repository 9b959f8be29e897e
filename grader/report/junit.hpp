// Grades as JUnit XML: a suite a student, a case for each check, with its points and its reason.
//
// CTest's own JUnit file knows neither. Written in parts, so that a class of any size needs no more
// memory than a student: the start, each student, the end.
#pragma once

#include "report/graded.hpp"

#include <string>

namespace course::report {

std::string junit_start();
std::string junit(const GradedStudent&);
std::string junit_end();

} // namespace course::report
