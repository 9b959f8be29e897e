// One submission by itself, as the autograders of other services run it: no class, no table.
#pragma once

#include "classroom/grade_submission.hpp"
#include "classroom/settings.hpp"
#include "report/graded.hpp"

#include <filesystem>
#include <string>

namespace course::classroom {

// Grades what is in `submission`, a folder or a zip file, and gives what the student gets for it.
// `grading.results` is a folder to work in. The exercises are those of the settings, else those
// that were handed in. Throws as grade_submission does.
report::GradedStudent grade_single(const std::filesystem::path& submission, const std::string& name,
                                   const Settings&, const Grading&);

} // namespace course::classroom
