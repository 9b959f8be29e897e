#include "classroom/platform_times.hpp"

#include "classroom/clock.hpp"
#include "classroom/csv_table.hpp"
#include "classroom/text_encoding.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

namespace course::classroom {
namespace {

using Times = std::vector<PlatformTime>;
using TimesRead = std::variant<Times, std::string>;

// ---- Moodle

// The month that a word of an English date begins with; 0: none.
int month_of(const std::string& word) {
  constexpr std::array kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                               "jul", "aug", "sep", "oct", "nov", "dec"};
  const auto plain = folded(word);
  for (std::size_t i = 0; i < kMonths.size(); ++i)
    if (plain.starts_with(kMonths[i])) return static_cast<int>(i) + 1;
  return 0;
}

// "Wednesday, 10 June 2026, 2:14 PM", "Wednesday, September 23, 2020, 9:00 PM", "20 November 2026,
// 14:05", and the times of time_of().
std::optional<lab::Moment> moodle_moment(const std::string& text) {
  auto words = text;
  for (auto& c : words)
    if (c == ',' || c == '\t') c = ' ';
  lab::Moment at;
  std::istringstream stream(words);
  bool timed = false;
  for (std::string word; stream >> word;) {
    int one = 0, other = 0, third = 0, length = 0;
    const auto all = [&](int count) { return count > 0 && word.c_str()[length] == '\0'; };
    if (std::sscanf(word.c_str(), "%2d:%2d:%2d%n", &one, &other, &third, &length) == 3 && all(1)) {
      at.hour = one, at.minute = other, at.second = third, timed = true;
    } else if (std::sscanf(word.c_str(), "%2d:%2d%n", &one, &other, &length) == 2 && all(1)) {
      at.hour = one, at.minute = other, timed = true;
    } else if (const auto half = folded(word); half == "pm" || half == "am") {
      at.hour = at.hour % 12 + (half == "pm" ? 12 : 0);
    } else if (std::sscanf(word.c_str(), "%4d%n", &one, &length) == 1 && all(1)) {
      (one > 31 ? at.year : at.day) = one;
    } else if (const int month = month_of(word); month > 0 && at.month == 0) {
      at.month = month;
    }
  }
  if (!timed || at.year == 0 || at.month == 0 || at.day == 0) return std::nullopt;
  return at;
}

// "2026-11-20T23:59:00", "2026-11-20 23:59" and, as spreadsheets write it, "20.11.2026 23:59":
// times that say no zone.
std::optional<lab::Moment> local_moment(const std::string& text) {
  lab::Moment at;
  char between = 0;
  int used = 0;
  const bool day_first = std::sscanf(text.c_str(), "%2d.%2d.%4d%c%2d:%2d%n", &at.day, &at.month,
                                     &at.year, &between, &at.hour, &at.minute, &used) == 6;
  if (!day_first && std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d%n", &at.year, &at.month,
                                &at.day, &between, &at.hour, &at.minute, &used) != 6)
    return std::nullopt;
  if (between != ' ' && between != 'T') return std::nullopt;
  const auto rest = text.substr(static_cast<std::size_t>(used));
  if (rest.empty()) return at;
  if (std::sscanf(rest.c_str(), ":%2d%n", &at.second, &used) != 1 ||
      static_cast<std::size_t>(used) != rest.size())
    return std::nullopt;
  return at;
}

TimesRead of_table(std::string_view text, const std::string& name, const std::string& zone) {
  const CsvTable table(text);
  const bool moodle = table.has("Last modified (submission)");
  if (!moodle && !table.has("submitted"))
    return name + ":1: no column says when something was handed in: \"submitted\", or Moodle's "
                  "\"Last modified (submission)\"";
  Times times;
  for (const auto& row : table.rows()) {
    const auto written = table.cell(row, {"Last modified (submission)", "submitted"});
    if (written.empty() || written == "-") continue;
    PlatformTime time;
    time.who.id = table.cell(row, {"Student ID", "SID", "ID number", "SIS User ID", "ID"});
    time.who.name = table.cell(row, {"Name", "Full name", "Student"});
    time.who.email = table.cell(row, {"Email", "Email address"});
    time.who.login = table.cell(row, {"Login", "Username"});
    const auto identifier = table.cell(row, {"Identifier"});
    time.who.platform = identifier.substr(identifier.find_last_not_of("0123456789") + 1);
    time.clock = moodle ? "Moodle" : name;
    auto at = time_of(written);
    auto moment = at ? std::nullopt : local_moment(written);
    if (!at && !moment) moment = moodle_moment(written);
    if (moment && zone.empty())
      return fmt::format("{}:{}: \"{}\" says no zone: set zone = \"Europe/Berlin\" in class.toml",
                         name, row.line, written);
    if (moment) at = seconds_of(*moment, zone);
    if (!at)
      return fmt::format("{}:{}: \"{}\" cannot be read as a time: write 2026-11-20T23:59:00, or "
                         "with a zone of its own 2026-11-20T23:59:00+01:00",
                         name, row.line, written);
    time.at = *at;
    times.push_back(std::move(time));
  }
  return times;
}

// ---- Canvas

std::string text_of(const nlohmann::json& json, const char* field) {
  const auto at = json.find(field);
  if (at == json.end() || at->is_null()) return "";
  return at->is_string() ? at->get<std::string>() : at->dump();
}

TimesRead of_canvas(std::string_view text, const std::string& name) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array()) return name + " is no list of submissions, as Canvas' API gives it";
  Times times;
  for (const auto& one : json) {
    if (!one.is_object() || !one.contains("user_id"))
      return name + ": a submission in it says no user_id: it is not what Canvas' API gives";
    const auto written = text_of(one, "submitted_at");
    if (written.empty()) continue;
    const auto at = time_of(written);
    if (!at) return name + ": \"" + written + "\" is no time";
    PlatformTime time;
    time.at = *at;
    time.clock = "Canvas";
    time.who.platform = text_of(one, "user_id");
    if (const auto user = one.find("user"); user != one.end() && user->is_object()) {
      time.who.name = text_of(*user, "name");
      time.who.sortable = text_of(*user, "sortable_name");
      time.who.id = text_of(*user, "sis_user_id");
      time.who.login = text_of(*user, "login_id");
    }
    times.push_back(std::move(time));
  }
  return times;
}

// ---- Gradescope

// "  - :name: Anna" -> the depth, the key and the value of a line of YAML as Ruby writes it.
struct YamlLine {
  std::size_t depth = 0;
  bool item = false;
  std::string key, value;
};
YamlLine yaml_line(const std::string& line) {
  YamlLine read;
  auto at = line.find_first_not_of(' ');
  if (at == line.npos) return read;
  read.depth = at;
  if (line.compare(at, 2, "- ") == 0) {
    read.item = true;
    at += 2;
  }
  if (line[at] == ':') ++at;
  const auto colon = line.find(':', at);
  if (colon == line.npos) return read;
  read.key = line.substr(at, colon - at);
  auto value = line.substr(colon + 1);
  value.erase(0, std::min(value.find_first_not_of(' '), value.size()));
  const bool quoted =
      value.size() > 1 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0];
  read.value = quoted ? value.substr(1, value.size() - 2) : value;
  return read;
}

// Each submission has its submitters and its time; what else it has, its results say, lies deeper.
TimesRead of_gradescope(std::string_view text, const std::string& name) {
  Times times;
  std::vector<Person> submitters;
  std::string folder;
  std::optional<std::int64_t> at;
  bool among_submitters = false;
  const auto end = [&] {
    if (at)
      for (const auto& who : submitters) times.push_back({who, folder, *at, "Gradescope"});
    submitters.clear();
    at.reset();
    among_submitters = false;
  };
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const auto read = yaml_line(line);
    if (read.depth == 0 && read.key.starts_with("submission_")) {
      end();
      folder = read.key;
    } else if (read.depth == 2 && !read.item) {
      among_submitters = read.key == "submitters";
      if (read.key == "created_at") {
        at = time_of(read.value);
        if (!at) return fmt::format("{}:{}: \"{}\" is no time", name, number, read.value);
      }
    } else if (among_submitters) {
      if (read.item) submitters.emplace_back();
      if (submitters.empty()) continue;
      auto& who = submitters.back();
      if (read.key == "name") who.name = read.value;
      if (read.key == "sid") who.id = read.value;
      if (read.key == "email") who.email = read.value;
    }
  }
  end();
  if (times.empty()) return name + " names no submission as Gradescope's exports do";
  return times;
}

} // namespace

TimesRead read_platform_times(std::string_view bytes, const std::string& name,
                              const std::string& zone) {
  const auto text = utf8_of(bytes);
  const auto first = text.find_first_not_of(" \r\n\t");
  if (first != text.npos && (text[first] == '[' || text[first] == '{'))
    return of_canvas(text, name);
  if (name.ends_with(".yml") || name.ends_with(".yaml")) return of_gradescope(text, name);
  return of_table(text, name, zone);
}

} // namespace course::classroom
