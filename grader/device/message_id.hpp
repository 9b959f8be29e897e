// Which messages there are: messages.def.
#pragma once

#include "device/message.hpp"

#include <array>
#include <cstddef>

namespace course::device {

enum class MessageId : std::uint16_t {
  none,
#define COURSE_MESSAGE(name, parts, words) name,
#include "device/messages.def"
#undef COURSE_MESSAGE
};
static_assert(MessageId::text == kText);

struct MessageShape {
  const char* name;
  std::size_t parts;
};
inline constexpr MessageShape kMessages[] = {
    // by their id
    {"none", 0},
#define COURSE_MESSAGE(name, parts, words) {#name, parts},
#include "device/messages.def"
#undef COURSE_MESSAGE
};

// Whether it is a message of the list, as are those that it is made of, with the parts they have.
inline bool is_whole(const Message& message) {
  const auto id = static_cast<std::size_t>(message.id);
  if (id >= std::size(kMessages) || message.parts.size() != kMessages[id].parts) return false;
  for (const Part& part : message.parts) {
    const auto* inner = std::get_if<Message>(&part.value);
    if (inner && !is_whole(*inner)) return false;
    const auto* access = std::get_if<LaneAccess>(&part.value);
    if (access && access->does > LaneAccess::Does::atomic) return false;
  }
  return true;
}

} // namespace course::device
