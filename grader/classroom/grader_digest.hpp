// The grader as a part of every verdict's key: a digest of its programs.
//
// Exercises are data, and have a digest each (lab::version_of). A rebuilt grader that is byte for
// byte the same has the same digest.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

// Reading them takes longer than grading a known file: the digest is kept in
// RESULTS/grader.json and holds while their sizes and times are unchanged. Throws
// std::filesystem::filesystem_error when one cannot be read.
std::string grader_digest(const std::filesystem::path& results,
                          const std::vector<std::filesystem::path>& programs);

} // namespace course::classroom
