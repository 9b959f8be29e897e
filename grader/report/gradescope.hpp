// results.json for Gradescope: /autograder/results/results.json.
//
// Shape: Gradescope's autograder documentation, "Output Format" (docs/specs.md of
// gradescope/autograder_samples). An exercise is a test; its report is the test's output, as plain
// text, because a report quotes what the student wrote.
#pragma once

#include "report/graded.hpp"

namespace course::report {

// `published`: whether students see the tests at once; else after the grades are published.
nlohmann::ordered_json gradescope(const GradedStudent&, bool published = true);

} // namespace course::report
