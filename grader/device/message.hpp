// Message: what a device has to say, as a fact: which message it is, and what it speaks of.
// messages.def lists the messages; report/words/message_words.hpp says them in the reader's
// language, and is the only place that does.
#pragma once

#include "device/compiled_once.hpp"
#include "device/dim3.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace course::device {

// Those who make or say messages include message_id.hpp, which grows; who hands them on does not.
enum class MessageId : std::uint16_t;
inline constexpr MessageId kNoMessage{};

struct Part;

struct Message {
  MessageId id{};
  std::vector<Part> parts;

  Message() = default;
  template <typename... Parts>
  explicit Message(MessageId of, Parts&&... speaks_of);
  // Words that are handed on as they are: of nvcc, of the driver, of a student's program.
  Message(std::string text);
  Message(const char* text);

  bool empty() const { return id == kNoMessage; }
};

// How much or how many. A number that only says which one (a line, a warp, a byte) is none.
struct Count {
  std::uint64_t value = 0;
  bool operator==(const Count&) const = default;
};
struct Lanes { // of a warp
  std::uint32_t mask = 0;
  bool operator==(const Lanes&) const = default;
};
struct Pointer { // 0x7f00
  std::uint64_t value = 0;
  bool operator==(const Pointer&) const = default;
};
// What one lane asks of memory.
struct LaneAccess {
  enum class Does : std::uint8_t { load, store, atomic } does{};
  std::uint32_t bytes = 0;
  bool operator==(const LaneAccess&) const = default;
};

using AnyPart =
    std::variant<std::int64_t, Count, std::string, Dim3, Lanes, Pointer, LaneAccess, Message>;

struct Part {
  CompiledOnce<AnyPart> value;

  Part() = default;
  Part(std::integral auto number) : value(static_cast<std::int64_t>(number)) {}
  Part(std::string name) : value(std::move(name)) {} // of the student's, or of CUDA's
  Part(const char* name) : value(std::string(name)) {}
  Part(Count count) : value(count) {}
  Part(const Dim3& index) : value(index) {}
  Part(Lanes lanes) : value(lanes) {}
  Part(Pointer pointer) : value(pointer) {}
  Part(LaneAccess access) : value(access) {}
  Part(Message message) : value(std::move(message)) {}
};

template <typename... Parts>
Message::Message(MessageId of, Parts&&... speaks_of) : id(of) {
  parts.reserve(sizeof...(speaks_of));
  (parts.emplace_back(std::forward<Parts>(speaks_of)), ...);
}

inline constexpr MessageId kText{1}; // as it is: one name
inline Message::Message(std::string text) {
  if (text.empty()) return;
  id = kText;
  parts.emplace_back(std::move(text));
}
inline Message::Message(const char* text) : Message(std::string(text)) {}

inline bool operator==(const Message&, const Message&);
inline bool operator==(const Part& a, const Part& b) {
  return a.value == b.value;
}
inline bool operator==(const Message& a, const Message& b) {
  return a.id == b.id && a.parts == b.parts;
}

// The words of a message that hands them on as they are; empty for others.
inline std::string text_of(const Message& message) {
  if (message.id != kText || message.parts.size() != 1) return {};
  const auto* text = std::get_if<std::string>(&message.parts[0].value);
  return text ? *text : std::string();
}

// Whether it is this message, or one of those that it is made of.
inline bool says(const Message& message, MessageId id) {
  if (message.id == id) return true;
  for (const Part& part : message.parts)
    if (const auto* inner = std::get_if<Message>(&part.value))
      if (says(*inner, id)) return true;
  return false;
}

} // namespace course::device

extern template struct course::CompiledOnce<course::device::AnyPart>;
