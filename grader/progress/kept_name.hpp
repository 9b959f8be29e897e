// Where a student's text goes that is given up for another: nothing that somebody typed is lost.
#pragma once

#include <filesystem>
#include <string>

namespace course::progress {

// ".course/kept/02_padding/1_square.2026-11-21T07-05-13Z.cu" below `root`: a name that no file has.
std::filesystem::path kept_name(const std::filesystem::path& root, const std::string& exercise);

} // namespace course::progress
