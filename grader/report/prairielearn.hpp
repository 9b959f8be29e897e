// results.json for PrairieLearn's external grading: /grade/results/results.json, at most 1 MB.
//
// The score is a share, 0 to 1. A submission that could not be read or compiled is "not gradable":
// PrairieLearn then does not count the attempt, and shows the reason.
#pragma once

#include "report/graded.hpp"

namespace course::report {

nlohmann::ordered_json prairielearn(const GradedStudent&);

} // namespace course::report
