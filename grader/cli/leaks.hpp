// What a copy for students, or a kit, gives away.
#pragma once

#include "classroom/student_copy.hpp"

#include <string>
#include <vector>

namespace course::cli {

// Names the files, of which `leaks` has one at least, and says what to do; kFailed.
int complain_of_leaks(const std::string& command, const std::vector<classroom::Leak>& leaks,
                      const std::string& out);

} // namespace course::cli
