#include "serve/book_files.hpp"

#include "build/digest.hpp"
#include "system/file.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace course::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 16 << 20;

// Of the press: book/press/build.js.
constexpr std::string_view kLive =
    "<link rel=\"stylesheet\" href=\"/live.css\"><script src=\"/live.js\"></script></body>";

std::string type_of(const fs::path& file) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kTypes{
      {{".html", "text/html; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".woff2", "font/woff2"}}};
  const auto ending = file.extension().string();
  for (const auto& [name, type] : kTypes)
    if (ending == name) return type;
  return "application/octet-stream";
}

} // namespace

BookFiles::BookFiles(const fs::path& folder) {
  std::error_code none;
  for (auto at = fs::recursive_directory_iterator(folder, none);
       at != fs::recursive_directory_iterator(); at.increment(none)) {
    if (at->is_symlink(none) || !at->is_regular_file(none)) continue;
    files_.emplace(at->path().lexically_relative(folder).string(), at->path());
  }
}

std::optional<BookFiles::File> BookFiles::find(const std::string& name) const {
  const auto at = files_.find(name);
  if (at == files_.end()) return std::nullopt;
  auto text = system::read_file(at->second, kMostBytes);
  if (!std::holds_alternative<std::string>(text)) return std::nullopt;
  File file{type_of(at->second), std::move(std::get<std::string>(text)), {}};
  if (file.type.starts_with("text/html"))
    if (const auto end = file.text.rfind("</body>"); end != file.text.npos)
      file.text.replace(end, std::string_view("</body>").size(), kLive);
  file.tag = '"' + build::sha256(file.text).substr(0, 32) + '"';
  return file;
}

} // namespace course::serve
