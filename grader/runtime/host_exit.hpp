// The exit codes of course_host that are its own, not the student's. A student's code may end the
// process with them too, and gains nothing by it.
#pragma once

namespace course::runtime {

inline constexpr int kExitNoRuntime = 96; // our libcudart.so.13 could not be loaded
inline constexpr int kExitNoGrader = 97;  // descriptor 3 does not answer any more

} // namespace course::runtime
