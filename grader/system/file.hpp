// Whole files: read with care, written so that a reader sees all of it or nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace course::system {

struct Unreadable {
  enum class Why { missing, not_allowed, link, not_a_file, too_large, other };
  Why why{};
  std::string text; // what is wrong and what to do, without the path
};

// A regular file of at most `most` bytes. Does not follow a link at the path's end, and does not
// wait for one that is no file.
std::variant<std::string, Unreadable> read_file(const std::filesystem::path&, std::uint64_t most);

// All of a file that is the course's own, or that its user named: links are followed, and a pipe is
// read to its end. Nothing when there is no such file, or it cannot be read.
std::optional<std::string> content_of(const std::filesystem::path&);

// Throws std::filesystem::filesystem_error. The file is readable by all, so that the sandbox may
// read it as another user.
void write_file(const std::filesystem::path&, std::string_view bytes);

} // namespace course::system
