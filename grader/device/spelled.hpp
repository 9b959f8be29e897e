// A message spelled out for those who look at facts: tests, fuzzers, digests. No reader sees it.
#pragma once

#include "device/message_id.hpp"

#include <ostream>
#include <sstream>
#include <string>

namespace course::device {

// "meets(reads(element(s[1], 4)), wrote(thread((1,0,0))), no_warp_barrier())"; what is handed on as
// it is, is spelled as it is.
inline std::string spelled(const Message& message);

struct SpelledPart {
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(Count count) const { return std::to_string(count.value); }
  std::string operator()(const std::string& name) const { return name; }
  std::string operator()(const Dim3& at) const {
    return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) +
           ")";
  }
  std::string operator()(Lanes lanes) const { return "lanes " + hexadecimal(lanes.mask); }
  std::string operator()(Pointer pointer) const { return hexadecimal(pointer.value); }
  std::string operator()(LaneAccess access) const {
    constexpr const char* kDoes[] = {"load", "store", "atomic"};
    return std::string(kDoes[static_cast<std::size_t>(access.does)]) + " " +
           std::to_string(access.bytes);
  }
  std::string operator()(const Message& message) const { return spelled(message); }

  static std::string hexadecimal(std::uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
  }
};

inline std::string spelled(const Message& message) {
  if (message.empty() || message.id == kText) return text_of(message);
  const auto id = static_cast<std::size_t>(message.id);
  std::string text = id < std::size(kMessages) ? kMessages[id].name : "?";
  text += "(";
  for (std::size_t i = 0; i < message.parts.size(); ++i)
    text += (i ? ", " : "") + std::visit(SpelledPart(), message.parts[i].value);
  return text + ")";
}

// What doctest prints of one.
inline std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << spelled(message);
}

} // namespace course::device
