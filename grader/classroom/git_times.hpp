// When files of a submission were committed, where it is a clone of a repository: after `git clone`
// their own dates are those of the clone.
//
// The repository is a student's: its configuration can name programs to run. So none of it is read
// but HEAD, the branch that it names, and objects, through a repository of our own.
#pragma once

#include "classroom/submission.hpp"

#include <filesystem>

namespace course::classroom {

// Gives each file that is as HEAD has it the time of the last commit that changed it, by the clock
// "Git commit". Others keep their date; so do all where `folder` is no clone, or git is not there.
void use_git_times(const std::filesystem::path& folder, Submission&);

} // namespace course::classroom
