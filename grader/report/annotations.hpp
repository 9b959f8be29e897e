// Annotations of GitHub Actions: workflow commands that put a failed check beside its line.
//
// GitHub shows 10 errors and 10 warnings a step. What a student wrote cannot become a command:
// percent signs, line ends, and in properties colons and commas are escaped.
#pragma once

#include "report/faults.hpp"
#include "report/graded.hpp"

namespace course::report {

inline constexpr int kMostAnnotations = 10; // of each kind

std::string annotations(const GradedStudent&);

// The same of any faults; `about` is what comes before the rule in a title.
std::string annotations(const std::vector<Fault>&, const std::string& about);

} // namespace course::report
