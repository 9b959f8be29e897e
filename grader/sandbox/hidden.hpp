// Folders that no program in the sandbox may read, although they lie where the system's files do.
//
// Programs may read all of /usr, where the compiler and the libraries are. A course that is
// installed there has its solutions there.
#pragma once

#include <filesystem>
#include <vector>

namespace course::sandbox {

// From now on for all programs that are started, instead of what was hidden before. What a command
// names as readable it may read still. Call it before any thread is started.
void hide(const std::vector<std::filesystem::path>&);
const std::vector<std::filesystem::path>& hidden();

// Where the system's programs and libraries are; on most machines all are links to the first.
inline constexpr const char* kSystemFolders[] = {"/usr", "/bin",   "/sbin",
                                                 "/lib", "/lib64", "/lib32"};
// Those of them that are no links, without what is hidden.
std::vector<std::filesystem::path> system_folders();

// `folder`, or, where some of `without` lie below it, what else is in it: the largest folders and
// the files that hold none of them. `without` are paths without links.
std::vector<std::filesystem::path> except(const std::filesystem::path& folder,
                                          const std::vector<std::filesystem::path>& without);

} // namespace course::sandbox
