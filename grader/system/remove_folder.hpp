// Removing what an untrusted program left.
#pragma once

#include <filesystem>

namespace course::system {

// The folder and all below it, also below folders that their owner locked. Follows no link. Nothing
// of the program may be running.
void remove_folder(const std::filesystem::path&);

} // namespace course::system
