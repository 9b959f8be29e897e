// What to say when grading ends before there is anything to judge, or part of it is missing.
//
// Pure: from what the compiler or the recording said to words. Each says what happened, where, and
// what to do next.
#pragma once

#include "build/compile.hpp"
#include "judge/verdict.hpp"
#include "lab/exercise.hpp"
#include "runtime/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

struct Words {
  judge::Ending ending{};
  std::string headline;
  std::string advice;
};

Words no_toolkit();
Words unreadable(const std::string& file, const std::string& why);
Words link(const std::string& file);      // a symbolic link was handed in
Words long_file(const std::string& file); // more than build::kLargestSource
Words empty_file(const Exercise&, const std::string& file);

// nvcc refused the file. Its own words are shown apart.
Words rejected(const build::Rejected&, const std::string& file);

// It compiled, and the function that is asked for is not in it. `functions` are those that are.
Words no_function(const Exercise&, const std::string& file,
                  const std::vector<std::string>& functions);

// How the call ended, when it did not return. Nothing when it did.
std::optional<Words> not_returned(const runtime::Recording&, const Exercise&,
                                  const std::string& shape, const sandbox::Limits&);

// It asked for launches, fills and copies that would keep a device busy without end.
Words too_much_asked(const Exercise&, const std::string& shape);

// The launch check: nothing was launched, or CUDA refused a launch. Passed otherwise.
// `expects_launch` is false for an empty output.
judge::Check check_launch(const runtime::Recording&, const Exercise&, const std::string& shape,
                          bool expects_launch);

} // namespace course::lab
