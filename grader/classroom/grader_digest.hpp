// The grader as a part of every verdict's key: a digest of its programs.
//
// Exercises are data, and have a digest each (lab::version_of). A rebuilt grader that is byte for
// byte the same has the same digest.
#pragma once

#include "runtime/recording.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

// The programs that a verdict comes from: `course`, which is the one that grades, and what stands
// beside it.
std::vector<std::filesystem::path> grading_programs(const std::filesystem::path& course,
                                                    const runtime::Host&);

// Reading them takes longer than grading a known file: the digest is kept in
// RESULTS/grader.json and holds while their sizes and times are unchanged. Throws
// std::filesystem::filesystem_error when one cannot be read.
std::string grader_digest(const std::filesystem::path& results,
                          const std::vector<std::filesystem::path>& programs);

} // namespace course::classroom
