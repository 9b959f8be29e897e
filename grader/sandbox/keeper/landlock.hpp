// Landlock: a process gives up the files, the network and the processes it has no rule for.
#pragma once

#include <filesystem>
#include <vector>

namespace course::sandbox {

// From now on this process and all it starts can read the system's programs and libraries and
// `readable`, write below `writable`, and open no TCP connection. False with errno set when the
// kernel refuses.
bool restrict_files(const std::vector<std::filesystem::path>& readable,
                    const std::vector<std::filesystem::path>& writable);

} // namespace course::sandbox
