// The reader's language: messages are written in English where they are said, and translated by GNU
// gettext's catalogues, po/LANGUAGE.po. Without a catalogue, or for a message that it does not
// have, they are English.
//
//   tr("needs a GPU")
//   tr("{} of {} points", points, most)
//   trn("{} pass", "{} passes", n, thousands(n))    singular, plural, which of them, arguments
//   trc("of lanes", "read")                         a word that alone does not say what it means
//
// Messages are fmt's format strings; a translation may name their arguments by position, {1} {0}.
// The compiler holds the English to its arguments, and po/messages.py the translations.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::language {

// Makes this process speak `language`, as a catalogue is called: "zh_CN"; "": English. False where
// there is no such catalogue, or no locale of UTF-8: then it is English. For the start of a program
// or a test: no other thread may run. Programs that this one starts are told it by LANGUAGE.
bool speak(const std::string& language);
const std::string& spoken(); // as speak() was told: "" for English

// The catalogues that are there, in order.
std::vector<std::string> catalogues();

// The catalogue that fits what somebody asks for, "zh", "zh-CN", "zh_CN.UTF-8", or a list of such
// by colons, the best first. "": English; nothing where none fits.
std::optional<std::string> fitting(std::string_view wishes, const std::vector<std::string>& among);

// The course's own variable, before all others: what --lang says is passed on in it.
inline constexpr const char* kVariable = "COURSE_LANG";

// What the environment asks for: COURSE_LANG; or else LANGUAGE where LC_ALL, LC_MESSAGES and LANG
// do not insist on "C"; otherwise the first of these that is set. "" when nothing is.
std::string asked_by_environment();

// While one exists, this thread's messages are English: for what programs read.
class InEnglish {
public:
  InEnglish();
  ~InEnglish();
  InEnglish(const InEnglish&) = delete; // it counts itself
  InEnglish& operator=(const InEnglish&) = delete;
};

bool english(); // whether a message said here and now is English

// A message that is said later, or a part of one; says nothing by itself but that translators
// should see it. `context` tells apart what English has one word for.
consteval const char* marked(const char* english) {
  return english;
}
consteval const char* marked(const char*, const char* english) {
  return english;
}

// The same of a message that goes by a number; `many` may be absent.
struct Forms {
  const char* one = nullptr;
  const char* many = nullptr;
};
consteval Forms forms(const char* one, const char* many) {
  return {one, many};
}

// The translation of what was marked, or of a message put together at run time; the same text
// where there is none. Nothing is put in for its braces.
std::string translated(const char* english);
std::string translated(const char* context, const char* english);

// Format strings are literals, and end in a null.
inline const char* literal(fmt::string_view text) {
  return text.data();
}

std::string formatted(const char* english, fmt::format_args);
std::string formatted(const char* context, const char* english, fmt::format_args);
std::string formatted(const char* one, const char* many, std::uint64_t count, fmt::format_args);

} // namespace course::language

namespace course {

template <class... Args>
std::string tr(fmt::format_string<Args...> english, Args&&... args) {
  return language::formatted(language::literal(english), fmt::make_format_args(args...));
}

template <class... Args>
std::string trc(const char* context, fmt::format_string<Args...> english, Args&&... args) {
  return language::formatted(context, language::literal(english), fmt::make_format_args(args...));
}

template <class... Args>
std::string trn(fmt::format_string<Args...> one, fmt::format_string<Args...> many,
                std::uint64_t count, Args&&... args) {
  return language::formatted(language::literal(one), language::literal(many), count,
                             fmt::make_format_args(args...));
}

} // namespace course
