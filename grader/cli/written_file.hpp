// A file that is either written whole, or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace course::cli {

// Replaces `file` with this content in one step; who reads it meanwhile, or after a loss of power,
// sees the old one or the new one. Makes no folder. Throws std::filesystem::filesystem_error when
// it cannot be written; then it is as it was.
void write_whole(const std::filesystem::path& file, std::string_view content);

} // namespace course::cli
