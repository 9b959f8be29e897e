#include "cli/lsp/framing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace course::cli {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeaderEnd = "\r\n\r\n";

bool same_word(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The number after "Content-Length:". Other fields are passed over; a line that is no field, or two
// lengths, are no header.
std::optional<std::size_t> length_in(std::string_view header) {
  std::optional<std::size_t> length;
  while (!header.empty()) {
    const auto end = header.find(kLineEnd);
    const auto line = header.substr(0, end);
    header.remove_prefix(end == header.npos ? header.size() : end + kLineEnd.size());
    const auto colon = line.find(':');
    if (colon == line.npos) return std::nullopt;
    if (!same_word(line.substr(0, colon), "Content-Length")) continue;
    const auto value = without_blanks(line.substr(colon + 1));
    std::size_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (length || read.ec != std::errc{} || read.ptr != value.data() + value.size())
      return std::nullopt;
    length = number;
  }
  return length;
}

} // namespace

bool MessageReader::read_header() {
  const auto end = bytes_.find(kHeaderEnd);
  if (end == bytes_.npos) {
    lost_ = bytes_.size() > kMostHeader;
    return false;
  }
  size_ = length_in(std::string_view(bytes_).substr(0, end));
  lost_ = end > kMostHeader || !size_ || *size_ > kMostBody;
  bytes_.erase(0, end + kHeaderEnd.size());
  return !lost_;
}

std::optional<std::string> MessageReader::next() {
  if (lost_ || (!size_ && !read_header())) return std::nullopt;
  if (bytes_.size() < *size_) return std::nullopt;
  auto json = bytes_.substr(0, *size_);
  bytes_.erase(0, *size_);
  size_.reset();
  return json;
}

std::string framed(std::string_view json) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", json.size(), json);
}

} // namespace course::cli
