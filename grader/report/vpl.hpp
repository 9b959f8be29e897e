// What Moodle's Virtual Programming Lab reads from an evaluation: a comment and a grade.
//
// A comment is between lines <|-- and --|>; in it a line that begins with - is a title, one that
// begins with > is shown as it is. The last "Grade :=>> N" of the output is the grade. So no line
// of a report begins in its own way, and what a student prints is no grade.
#pragma once

#include "report/graded.hpp"

#include <string>

namespace course::report {

std::string vpl(const GradedStudent&);

} // namespace course::report
