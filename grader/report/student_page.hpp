// A student's results as a page: each exercise with its report as in the terminal, pictures and
// all, in the width that fits the screen.
#pragma once

#include "report/page.hpp"

namespace course::report {

std::string student_page(const GradedStudent&, const PageTitle&);

} // namespace course::report
