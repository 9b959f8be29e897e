#include "cli/lsp/document_uri.hpp"

#include <algorithm>

namespace course::cli {
namespace {

constexpr std::string_view kScheme = "file://", kThisMachine = "localhost";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool stays(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

} // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with(kThisMachine)) uri.remove_prefix(kThisMachine.size());
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? digit(uri[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit(uri[i + 2]);
    if (low < 0 || (high == 0 && low == 0)) return std::nullopt; // no path has a zero byte
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string uri(kScheme);
  for (const char c : path) {
    if (stays(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return uri;
}

} // namespace course::cli
