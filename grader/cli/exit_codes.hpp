// Exit codes of `course`, for scripts and class graders. They do not change.
#pragma once

#include "judge/verdict.hpp"
#include "language/translate.hpp"

#include <string>

namespace course::cli {

enum ExitCode : int {
  kPassed = 0,        // every check that this device can make passed
  kFailed = 1,        // a check failed
  kUsage = 2,         // the command line was not understood
  kDidNotCompile = 3, // nvcc refused the file, or the function asked for is missing
  kCrashed = 4,       // the student's host code crashed, or ended its own process
  kTimedOut = 5,      // host code or a kernel without end; course run: --limit
  kNotMeasurable = 6, // uses what the grader cannot execute
  kSetUp = 7,         // something is missing on this machine: nvcc, a folder to write to
  kInternal = 8,      // the grader itself failed; the student's file is not to blame
  kFound = 9,         // course run --expect: another list of findings than the expected one
  kInterrupted = 130, // Ctrl-C; other signals end it with 128 and their number as well
};

inline ExitCode exit_code(judge::Ending ending) {
  switch (ending) {
  case judge::Ending::passed:
    return kPassed;
  case judge::Ending::failed:
    return kFailed;
  case judge::Ending::did_not_compile:
    return kDidNotCompile;
  case judge::Ending::crashed:
    return kCrashed;
  case judge::Ending::timed_out:
    return kTimedOut;
  case judge::Ending::not_measurable:
    return kNotMeasurable;
  case judge::Ending::set_up:
    return kSetUp;
  }
  return kInternal;
}

inline constexpr const char* kExitCodes = language::marked(
    "Exit codes:\n"
    "  0 passed, 1 failed, 2 usage, 3 did not compile, 4 crashed, 5 timed out, 6 not measurable,"
    " 7 set-up (no nvcc, say), 8 error in the grader, 130 interrupted.");

// A command's examples, and those codes.
inline std::string with_exit_codes(const char* examples) {
  return std::string(examples) + "\n" + kExitCodes;
}

} // namespace course::cli
