// A student's files as one zip file to hand in.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace course::cli {

// Paths in the zip file, with their contents. Replaces `zip` in one step. Throws
// std::filesystem::filesystem_error, also where the grader was built without libarchive.
void pack(const std::filesystem::path& zip,
          const std::vector<std::pair<std::string, std::string>>& files);

} // namespace course::cli
