#include "report/markup.hpp"

#include "language/columns.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace course::report {
namespace {

constexpr std::string_view kEnd = "\033[0m";
constexpr std::array<std::pair<std::string_view, const char*>, 6> kInks{{
    {"\033[1m", "bold"},
    {"\033[2m", "faint"},
    {"\033[1;31m", "red"},
    {"\033[31m", "red"},
    {"\033[32m", "green"},
    {"\033[33m", "yellow"},
}};

const std::pair<std::string_view, const char*>* ink_at(std::string_view text) {
  for (const auto& ink : kInks)
    if (text.starts_with(ink.first)) return &ink;
  return nullptr;
}

// A wide character is one of two columns, whatever the font that has it: the style says how.
std::string in_columns(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [bytes, columns] = language::first(text);
    const auto character = text.substr(0, bytes);
    if (columns == 2) {
      out += "<i>" + std::string(character) + "</i>";
    } else {
      out += character;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string without_colour(std::string_view report) {
  std::string out;
  while (!report.empty()) {
    const auto escape = report.find('\033');
    out += printable(report.substr(0, escape));
    if (escape == report.npos) break;
    report.remove_prefix(escape);
    const auto* ink = ink_at(report);
    const auto length = ink ? ink->first.size() : report.starts_with(kEnd) ? kEnd.size() : 0;
    if (length == 0) out += '?';
    report.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string coloured_html(std::string_view report) {
  std::string out;
  bool open = false;
  const auto close = [&] {
    if (open) out += "</span>";
    open = false;
  };
  while (!report.empty()) {
    const auto escape = report.find('\033');
    out += in_columns(escaped(report.substr(0, escape)));
    if (escape == report.npos) break;
    report.remove_prefix(escape);
    if (const auto* ink = ink_at(report)) {
      close();
      out += std::string("<span class=\"") + ink->second + "\">";
      open = true;
      report.remove_prefix(ink->first.size());
    } else if (report.starts_with(kEnd)) {
      close();
      report.remove_prefix(kEnd.size());
    } else {
      out += '?';
      report.remove_prefix(1);
    }
  }
  close();
  return out;
}

} // namespace course::report
