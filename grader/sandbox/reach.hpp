// What a program that runs as another user than root can get at.
#pragma once

#include <filesystem>
#include <optional>

namespace course::sandbox {

// Whether this process has the capability that lets a program read files below folders which only
// root may enter. Containers often take it away, also from root.
bool may_read_all_modes();

// The first folder above an absolute path that only its owner may enter; nothing when there is
// none.
std::optional<std::filesystem::path> closed_folder_above(const std::filesystem::path&);

} // namespace course::sandbox
