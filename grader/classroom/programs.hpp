// The grader as a part of every verdict's key: a digest of its programs.
//
// Exercises, limits and references are compiled into them, so this is the version of the exercises
// as well. A rebuilt grader that is byte for byte the same has the same digest.
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
