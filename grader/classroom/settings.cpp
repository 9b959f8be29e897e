#include "classroom/settings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <set>
#include <stdexcept>

namespace course::classroom {
namespace {

using Plain = nlohmann::json;

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void only(const Plain& json, const std::string& where, const std::set<std::string>& known) {
  if (!json.is_object()) throw Wrong(where + " has to be an object, { … }");
  for (const auto& [name, value] : json.items())
    if (!known.count(name)) throw Wrong(where + " has \"" + name + "\", which means nothing here");
}

template <class Value>
Value value(const Plain& json, const char* name, const char* what, Value otherwise) {
  if (!json.contains(name)) return otherwise;
  try {
    return json.at(name).get<Value>();
  } catch (const Plain::exception&) {
    throw Wrong(std::string("\"") + name + "\" has to be " + what);
  }
}

double at_least_0(const Plain& json, const char* name, double otherwise) {
  const auto number = value<double>(json, name, "a number", otherwise);
  if (!(number >= 0) || !(number <= 1e6))
    throw Wrong(std::string("\"") + name + "\" has to be a number from 0 on");
  return number;
}

std::int64_t time_in(const Plain& json, const std::string& where) {
  const auto time = json.is_string() ? time_of(json.get<std::string>()) : std::nullopt;
  if (!time) throw Wrong(where + " has to be a time with its zone, 2026-11-20T23:59:00+01:00");
  return *time;
}

LabSettings lab_settings(const Plain& json, const std::string& lab) {
  only(json, "\"" + lab + "\"", {"due", "weight"});
  LabSettings settings;
  if (json.contains("due")) settings.due = time_in(json.at("due"), "\"due\" of " + lab);
  settings.weight = at_least_0(json, "weight", 1);
  return settings;
}

LatePolicy late_policy(const Plain& json) {
  only(json, "\"late\"", {"percent_a_day", "days", "grace_minutes"});
  LatePolicy policy;
  policy.percent_a_day = at_least_0(json, "percent_a_day", 0);
  policy.days = static_cast<int>(at_least_0(json, "days", 0));
  policy.grace_minutes = static_cast<int>(at_least_0(json, "grace_minutes", 0));
  return policy;
}

bool is_lab(const std::string& word, const std::vector<std::string>& known) {
  return std::any_of(known.begin(), known.end(),
                     [&](const std::string& id) { return id.starts_with(word + "/"); });
}

Settings settings_of(const Plain& json, const std::vector<std::string>& known) {
  only(json, "The file", {"course", "seed", "release", "late", "labs", "exercises", "submitted"});
  Settings settings;
  settings.course = value<std::string>(json, "course", "text", settings.course);
  if (json.contains("seed"))
    settings.seed = value<std::uint64_t>(json, "seed", "a whole number from 0 on", 0);
  settings.release = value<bool>(json, "release", "true or false", false);
  if (json.contains("late")) settings.late = late_policy(json.at("late"));
  if (json.contains("labs") && !json.at("labs").is_object())
    throw Wrong("\"labs\" has to be an object, { … }");
  const auto labs = json.value("labs", Plain::object());
  for (const auto& [lab, about] : labs.items()) {
    if (!is_lab(lab, known)) throw Wrong("there is no lab \"" + lab + "\"");
    settings.labs[lab] = lab_settings(about, lab);
  }
  settings.exercises =
      value<std::vector<std::string>>(json, "exercises", "a list of exercises", {});
  for (const auto& id : settings.exercises)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw Wrong("there is no exercise \"" + id + "\"");
  if (json.contains("submitted") && !json.at("submitted").is_object())
    throw Wrong("\"submitted\" has to be an object, { … }");
  const auto submitted = json.value("submitted", Plain::object());
  for (const auto& [student, time] : submitted.items())
    settings.submitted[student] = time_in(time, "\"submitted\" of " + student);
  return settings;
}

} // namespace

std::variant<Settings, std::string> read_settings(const std::string& text,
                                                  const std::vector<std::string>& known) {
  try {
    return settings_of(Plain::parse(text, nullptr, true, true), known);
  } catch (const Plain::exception& error) {
    return std::string("it is not JSON: ") + error.what();
  } catch (const Wrong& wrong) {
    return std::string(wrong.what());
  }
}

std::optional<std::int64_t> time_of(const std::string& text) {
  std::tm day{};
  int used = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &day.tm_year, &day.tm_mon,
                  &day.tm_mday, &day.tm_hour, &day.tm_min, &day.tm_sec, &used) != 6)
    return std::nullopt;
  day.tm_year -= 1900;
  day.tm_mon -= 1;
  const std::tm asked = day;
  auto zone = text.substr(static_cast<std::size_t>(used));
  if (zone.starts_with("."))
    zone.erase(0, std::min(zone.find_first_not_of(".0123456789"), zone.size()));
  long offset = 0;
  if (zone != "Z") {
    int hours = 0, minutes = 0, length = 0;
    char sign[2] = {};
    if (std::sscanf(zone.c_str(), "%1[+-]%2d:%2d%n", sign, &hours, &minutes, &length) != 3 ||
        static_cast<std::size_t>(length) != zone.size() || hours < 0 || hours > 14 || minutes < 0 ||
        minutes > 59)
      return std::nullopt;
    offset = (hours * 60L + minutes) * 60 * (sign[0] == '-' ? -1 : 1);
  }
  const std::time_t seconds = timegm(&day); // it would take 31 February for 3 March
  const bool real = day.tm_mon == asked.tm_mon && day.tm_mday == asked.tm_mday &&
                    day.tm_hour == asked.tm_hour && day.tm_min == asked.tm_min &&
                    day.tm_sec == asked.tm_sec;
  if (!real) return std::nullopt;
  return static_cast<std::int64_t>(seconds) - offset;
}

Lateness lateness(const LatePolicy& policy, std::optional<std::int64_t> due, std::int64_t at) {
  constexpr std::int64_t kDay = 24 * 60 * 60;
  if (!due || at <= *due + policy.grace_minutes * 60) return {};
  Lateness late;
  late.days = static_cast<int>((at - *due + kDay - 1) / kDay);
  if (policy.days > 0 && late.days > policy.days) {
    late.keeps = 0;
  } else {
    late.keeps = std::max(0.0, 1 - late.days * policy.percent_a_day / 100);
  }
  return late;
}

} // namespace course::classroom
