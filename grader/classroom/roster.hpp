// Who handed something in: a folder or a zip file a student, side by side in one folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

struct Entry {
  std::string id;             // names.hpp
  std::string name;           // of the folder, or of the zip file without .zip; any bytes
  std::filesystem::path path; // absolute
  std::string problem;        // why it cannot be looked at, a sentence; else empty
};

// Sorted by name. Hidden files are left out; whatever else is there is an entry, if only with a
// problem. Throws std::filesystem::filesystem_error when the folder cannot be read.
std::vector<Entry> roster(const std::filesystem::path& submissions);

} // namespace course::classroom
