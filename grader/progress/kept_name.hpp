// Where a student's text goes that is given up for another: nothing that somebody typed is lost.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace course::progress {

// "FOLDER/02_padding/1_square.2026-11-21T07-05-13Z.cu": a name that no file has.
std::filesystem::path timed_name(const std::filesystem::path& folder, const std::string& exercise);
// How many there are of the same folder and exercise as a name that timed_name made.
std::size_t timed_before(const std::filesystem::path& name);
// The same below `root`/.course/kept.
std::filesystem::path kept_name(const std::filesystem::path& root, const std::string& exercise);

} // namespace course::progress
