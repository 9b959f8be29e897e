// One submission by itself, as the autograders of other services run it: no class, no table.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/grade_submission.hpp"
#include "classroom/settings.hpp"
#include "report/graded.hpp"

#include <filesystem>
#include <string>

namespace course::classroom {

// Grades what is in `submission`, a folder or an archive, and gives what the student gets for it.
// `grading.results` is a folder to work in. The exercises are those of the settings, else those
// that were handed in. The member is who handed in, and when (its `times`). Throws as
// grade_submission does.
report::GradedStudent grade_single(const std::filesystem::path& submission, const Member&,
                                   const Settings&, const Grading&);

} // namespace course::classroom
