// Messages of the Language Server Protocol 3.17 as bytes: a header that says how long they are, an
// empty line, and JSON. Bytes come as the other side sends them, in pieces of any size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace course::cli {

class MessageReader {
public:
  static constexpr std::size_t kMostHeader = 4096;    // bytes
  static constexpr std::size_t kMostBody = 64u << 20; // bytes: an editor sends whole files

  void add(std::string_view bytes) { bytes_ += bytes; }

  // The next message's JSON; nothing until all of it is here.
  std::optional<std::string> next();

  // What came is no header, or one of a message that is too long: where the next message begins
  // cannot be told, and none is read any more.
  bool lost() const { return lost_; }

private:
  bool read_header();

  std::string bytes_;
  std::optional<std::size_t> size_; // of the message whose header was read
  bool lost_ = false;
};

// The bytes to send for a message.
std::string framed(std::string_view json);

} // namespace course::cli
