#include "cli/mcp/message_lines.hpp"

namespace course::cli::mcp {

void MessageLines::add(std::string_view bytes) {
  if (skipping_) {
    const auto end = bytes.find('\n');
    if (end == bytes.npos) return;
    bytes.remove_prefix(end + 1);
    skipping_ = false;
  }
  bytes_ += bytes;
}

std::optional<MessageLines::Line> MessageLines::next() {
  for (;;) {
    const auto end = bytes_.find('\n', seen_);
    if (end == bytes_.npos) {
      seen_ = bytes_.size();
      if (bytes_.size() <= most_) return std::nullopt;
      bytes_.clear();
      seen_ = 0;
      skipping_ = true;
      return Line{"", true};
    }
    auto text = bytes_.substr(0, end);
    bytes_.erase(0, end + 1);
    seen_ = 0;
    if (text.ends_with('\r')) text.pop_back();
    if (text.size() > most_) return Line{"", true};
    if (text.find_first_not_of(" \t") != text.npos) return Line{std::move(text)};
  }
}

} // namespace course::cli::mcp
