#include "trust/declaration.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace course::trust {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Takes what is before the separator off the front; all of it where there is none.
std::string_view take(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

Wanted wanted(std::string_view text) {
  auto verdict = trimmed(take(text, ':'));
  Wanted result;
  result.piece = trimmed(text);
  result.ending = take(verdict, ' ');
  while (!verdict.empty()) result.checks.emplace_back(trimmed(take(verdict, ',')));
  return result;
}

bool is_ending(std::string_view word) {
  constexpr std::string_view kEndings[] = {
      "passed", "failed", "did_not_compile", "crashed", "timed_out", "not_measurable", "set_up"};
  return std::ranges::find(kEndings, word) != std::end(kEndings);
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || value <= 0) return {};
  return value;
}

// "a\x1b[2J.cu" with the byte in place of its number.
std::string with_bytes(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    unsigned byte = 0;
    const bool escaped =
        text.starts_with("\\x") && text.size() >= 4 &&
        std::from_chars(text.data() + 2, text.data() + 4, byte, 16).ptr == text.data() + 4;
    result += escaped ? static_cast<char>(byte) : text[0];
    text.remove_prefix(escaped ? 4 : 1);
  }
  return result;
}

void read(Declaration& to, std::string_view key, std::string_view value) {
  if (key == "against") {
    to.exercise = value;
  } else if (key == "must") {
    to.wanted.push_back(wanted(value));
  } else if (key == "never") {
    to.never.emplace_back(value);
  } else if (key == "device") {
    using Device = Declaration::Device;
    to.device = value == "gpu" ? Device::gpu : value == "both" ? Device::both : Device::emulated;
    if (to.device == Device::emulated && value != "emulated")
      to.complaints.push_back("no device is called that");
  } else if (key == "named") {
    to.named = with_bytes(value);
  } else if (key == "link") {
    to.link = value;
  } else if (key == "seconds") {
    const auto seconds = number(value);
    if (seconds) to.seconds = *seconds;
    if (!seconds) to.complaints.push_back("seconds is a whole number above 0");
  } else if (!key.starts_with("clang-format ")) { // which is for the formatter
    to.complaints.push_back("there is no key \"" + std::string(key) + "\"");
  }
}

// An honest way may say what it does in several lines, and that is no key.
bool is_key(std::string_view word) {
  constexpr std::string_view kKeys[] = {"against", "must", "never",  "device",
                                        "named",   "link", "seconds"};
  return std::ranges::find(kKeys, word) != std::end(kKeys);
}

void check(Declaration& to) {
  const auto needs = [&](bool there, const char* what) {
    if (!there) to.complaints.emplace_back(what);
  };
  needs(!to.idea.empty(), "its first line says neither attack: nor control: nor honest:");
  needs(!to.exercise.empty(), "it does not say against which exercise");
  needs(!to.wanted.empty(), "it does not say what must become of it");
  for (const auto& one : to.wanted) {
    needs(is_ending(one.ending), "what must become of it is not an ending");
    needs(one.ending != "failed" || !one.checks.empty(), "it does not say which checks fail");
    needs(to.kind == Declaration::Kind::attack || one.ending == "passed",
          "a control that need not pass");
  }
}

} // namespace

Declaration declaration(std::string_view text, const std::string& exercise) {
  Declaration result;
  result.exercise = exercise;
  bool honest = false;
  constexpr auto kMark = "\xef\xbb\xbf"sv; // a control may begin with a byte order mark
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  for (bool first = true; text.starts_with("//"); first = false) {
    auto line = take(text, '\n').substr(2);
    const auto whole = trimmed(line);
    const auto key = trimmed(take(line, ':'));
    const auto value = trimmed(line);
    if (!first && honest && !is_key(key)) {
      result.idea.append(" ").append(whole);
    } else if (!first) {
      read(result, key, value);
    } else if (key == "attack" || key == "control" || key == "honest") {
      honest = key == "honest";
      result.kind = key == "attack" ? Declaration::Kind::attack : Declaration::Kind::control;
      result.idea = value;
    }
  }
  if (honest && result.wanted.empty()) result.wanted.push_back({"passed", {}, {}});
  check(result);
  return result;
}

std::string text(const Wanted& wanted) {
  std::string text = wanted.ending;
  for (std::size_t i = 0; i < wanted.checks.size(); ++i)
    text += (i == 0 ? " " : ", ") + wanted.checks[i];
  return wanted.piece.empty() ? text : text + ": " + wanted.piece;
}

} // namespace course::trust
