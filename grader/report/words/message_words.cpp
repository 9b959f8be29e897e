#include "report/words/message_words.hpp"

#include "device/message_id.hpp"
#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/numbers.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <bit>

namespace course::report {
namespace {

using language::Forms;
using language::forms;
using language::marked;

constexpr Forms kWords[] = {
    // by their id
    {""},
#define COURSE_MESSAGE(name, parts, words) {words},
#include "device/messages.def"
#undef COURSE_MESSAGE
};

std::string hexadecimal(device::Pointer pointer) {
  return fmt::format("{:#x}", pointer.value);
}

// "lanes 0-3, 7", "lane 7". What is said of them has to fit one as well as several: they "came".
std::string lanes_in_words(std::uint32_t mask) {
  constexpr int kLanes = 32;
  if (mask == 0) return tr("no lane");
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ", ";
    text += last > lane ? fmt::format("{}-{}", lane, last) : std::to_string(lane);
    lane = last;
  }
  return std::popcount(mask) == 1 ? tr("lane {}", text) : tr("lanes {}", text);
}

std::string access_in_words(const device::LaneAccess& access) {
  using Does = device::LaneAccess::Does;
  const bool eight = access.bytes == 8; // "an 8-byte load"
  switch (access.does) {
  case Does::load:
    return eight ? tr("an {}-byte load", access.bytes) : tr("a {}-byte load", access.bytes);
  case Does::store:
    return eight ? tr("an {}-byte store", access.bytes) : tr("a {}-byte store", access.bytes);
  case Does::atomic:
    return eight ? tr("an {}-byte atomic", access.bytes) : tr("a {}-byte atomic", access.bytes);
  }
  return "";
}

struct PartInWords {
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(device::Count count) const { return thousands(count.value); }
  std::string operator()(const std::string& name) const { return name; }
  std::string operator()(const device::Dim3& at) const {
    return fmt::format("({},{},{})", at.x, at.y, at.z);
  }
  std::string operator()(device::Lanes lanes) const { return lanes_in_words(lanes.mask); }
  std::string operator()(device::Pointer pointer) const { return hexadecimal(pointer); }
  std::string operator()(const device::LaneAccess& access) const { return access_in_words(access); }
  std::string operator()(const device::Message& message) const { return in_words(message); }
};

// Of the number that a plural goes by.
std::uint64_t first_count(const device::Message& message) {
  if (message.parts.empty()) return 0;
  const auto* count = std::get_if<device::Count>(&message.parts[0].value);
  return count ? count->value : 0;
}

} // namespace

std::string in_words(const device::Message& message) {
  if (message.id == device::kText && device::is_whole(message))
    return reason_in_words(std::visit(PartInWords(), message.parts.front().value));
  const auto at = static_cast<std::size_t>(message.id);
  if (at == 0 || !device::is_whole(message)) return "";
  fmt::dynamic_format_arg_store<fmt::format_context> parts;
  for (const auto& part : message.parts) parts.push_back(std::visit(PartInWords(), part.value));
  const auto& said = kWords[at];
  return said.many ? language::formatted(said.one, said.many, first_count(message), parts)
                   : language::formatted(said.one, parts);
}

} // namespace course::report
