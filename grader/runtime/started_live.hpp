// How our libcudart.so.13 knows a program that `course run` has started from a student's host
// process: a variable of its environment, which it takes out before main.
#pragma once

namespace course::runtime {

inline constexpr const char* kLiveVariable = "COURSE_RUN_STARTED_THIS";

} // namespace course::runtime
