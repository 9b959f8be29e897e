// What Gradescope tells an autograder of a submission: submission_metadata.json.
//
// https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/: created_at, the
// assignment's due date and points, and each submitter's own due date, which extensions move.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/settings.hpp"
#include "lab/exercise.hpp"

#include <string>
#include <vector>

namespace course::classroom {

// The time of the submission becomes that of the member; a due date that Gradescope has is that of
// the labs that have none in the settings, and an extension there moves those that have one; the
// assignment's points are the total where the settings have none. What is missing changes nothing.
void apply_gradescope(const std::string& json, const std::vector<lab::Exercise>&, Member&,
                      Settings&);

} // namespace course::classroom
