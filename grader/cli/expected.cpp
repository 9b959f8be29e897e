#include "cli/expected.hpp"

#include "language/translate.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace course::cli {
namespace {

bool is_same_path(const std::string& path, const std::string& expected) {
  return path == expected || path.ends_with("/" + expected);
}

bool fits(const report::Fault& fault, const Expected& expected) {
  return fault.rule == expected.rule && fault.line == expected.line &&
         is_same_path(fault.path, expected.path);
}

} // namespace

std::variant<std::vector<Expected>, std::string> expected_of(const std::string& text) {
  std::vector<Expected> all;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    Expected one;
    std::string place, more;
    if (!(words >> one.rule)) continue;
    words >> place;
    const auto colon = place.rfind(':');
    const char* end = place.data() + place.size();
    const char* digits = colon == place.npos ? end : place.data() + colon + 1;
    const auto [rest, error] = std::from_chars(digits, end, one.line);
    if (digits == end || error != std::errc() || rest != end || words >> more)
      return tr("line {}: a kind of finding and its line, as in: race main.cu:12", number);
    one.path = place.substr(0, colon);
    all.push_back(std::move(one));
  }
  return all;
}

Unexpected unexpected(const std::vector<report::Fault>& faults,
                      const std::vector<Expected>& expected) {
  Unexpected result;
  for (const auto& fault : faults)
    if (fault.serious &&
        std::ranges::none_of(expected, [&](const Expected& one) { return fits(fault, one); }))
      result.found.push_back(fault);
  for (const auto& one : expected)
    if (std::ranges::none_of(
            faults, [&](const report::Fault& fault) { return fault.serious && fits(fault, one); }))
      result.missing.push_back(one);
  return result;
}

std::string in_lines(const Unexpected& unexpected) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += "course run: " + report::printable(line) + "\n";
  };
  for (const auto& fault : unexpected.found)
    add(tr("not expected: {} {}:{}", fault.rule, fault.path, fault.line));
  for (const auto& one : unexpected.missing)
    add(tr("expected, and not found: {} {}:{}", one.rule, one.path, one.line));
  return text;
}

} // namespace course::cli
