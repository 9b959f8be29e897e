// What our libcudart.so.13 is told in variables of its process's environment, which it takes out
// before main.
#pragma once

namespace course::runtime {

// Set: `course run` has started this program. A student's host process is without it.
inline constexpr const char* kLiveVariable = "COURSE_RUN_STARTED_THIS";
// The name of the GPU that the program is told it has; not set: that of the course.
inline constexpr const char* kGpuVariable = "COURSE_PROGRAM_HAS_GPU";

} // namespace course::runtime
