// Messages of the Model Context Protocol over standard input: one a line. Bytes come as the other
// side sends them, in pieces of any size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace course::cli::mcp {

class MessageLines {
public:
  // Bytes of a message: a program's source may have 1 MiB, of which JSON makes up to six times
  // that.
  static constexpr std::size_t kMost = 8u << 20;

  explicit MessageLines(std::size_t most = kMost) : most_(most) {}

  void add(std::string_view bytes);

  struct Line {
    std::string text;      // without its end; empty where it is too long
    bool too_long = false; // what it said is gone; the next one is read as ever
  };
  // The next one that is whole, or too long already. Empty lines are passed over.
  std::optional<Line> next();

private:
  std::size_t most_;
  std::string bytes_;
  std::size_t seen_ = 0;  // of bytes_, where there is no end of a line
  bool skipping_ = false; // the rest of a line that was too long
};

} // namespace course::cli::mcp
