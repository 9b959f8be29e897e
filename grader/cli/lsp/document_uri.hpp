// Files as editors name them: "file:///home/me/a%20b.cu" (RFC 8089).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace course::cli {

// Nothing for what is no file of this machine.
std::optional<std::string> path_of_uri(std::string_view uri);

std::string uri_of_path(std::string_view path); // an absolute one

} // namespace course::cli
