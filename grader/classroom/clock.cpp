#include "classroom/clock.hpp"
#include "system/environment.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace course::classroom {
namespace {

std::tm tm_of(const lab::Moment& moment) {
  std::tm day{};
  day.tm_year = moment.year - 1900;
  day.tm_mon = moment.month - 1;
  day.tm_mday = moment.day;
  day.tm_hour = moment.hour;
  day.tm_min = moment.minute;
  day.tm_sec = moment.second;
  day.tm_isdst = -1;
  return day;
}

// C's functions would take 31 February for 3 March.
bool same_time(const std::tm& one, const std::tm& other) {
  return one.tm_year == other.tm_year && one.tm_mon == other.tm_mon &&
         one.tm_mday == other.tm_mday && one.tm_hour == other.tm_hour &&
         one.tm_min == other.tm_min && one.tm_sec == other.tm_sec;
}

std::filesystem::path zone_file(const std::string& name) {
  return std::filesystem::path("/usr/share/zoneinfo") / name;
}

// Minutes of "Z", "+01:00" or "-0500"; nothing for anything else.
std::optional<int> ahead_of(std::string zone) {
  while (zone.starts_with(" ")) zone.erase(0, 1);
  if (zone == "Z" || zone == "UTC") return 0;
  int hours = 0, minutes = 0, length = 0;
  char sign[2] = {};
  const char* forms[]{"%1[+-]%2d:%2d%n", "%1[+-]%2d%2d%n"};
  for (const char* form : forms)
    if (std::sscanf(zone.c_str(), form, sign, &hours, &minutes, &length) == 3 &&
        static_cast<std::size_t>(length) == zone.size() && hours >= 0 && hours <= 14 &&
        minutes >= 0 && minutes < 60)
      return (hours * 60 + minutes) * (sign[0] == '-' ? -1 : 1);
  return std::nullopt;
}

} // namespace

InZone::InZone(const std::string& zone) : before_(system::environment("TZ")) {
  setenv("TZ", zone.empty() ? "UTC" : (":" + zone_file(zone).string()).c_str(), 1);
  tzset();
}

InZone::~InZone() {
  if (before_) setenv("TZ", before_->c_str(), 1);
  if (!before_) unsetenv("TZ");
  tzset();
}

std::optional<std::int64_t> time_of(const std::string& text) {
  lab::Moment at;
  char between = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d:%2d%n", &at.year, &at.month, &at.day,
                  &between, &at.hour, &at.minute, &at.second, &used) != 7 ||
      (between != 'T' && between != ' '))
    return std::nullopt;
  auto zone = text.substr(static_cast<std::size_t>(used));
  if (zone.starts_with("."))
    zone.erase(0, std::min(zone.find_first_not_of(".0123456789"), zone.size()));
  at.ahead = ahead_of(zone);
  if (!at.ahead) return std::nullopt;
  return seconds_of(at, "");
}

std::optional<std::int64_t> seconds_of(const lab::Moment& moment, const std::string& zone) {
  if (!moment.ahead && zone.empty()) return std::nullopt;
  const auto asked = tm_of(moment);
  auto day = asked;
  std::int64_t seconds = 0;
  if (moment.ahead) {
    seconds = timegm(&day) - *moment.ahead * 60L;
  } else {
    const InZone there(zone);
    seconds = std::mktime(&day);
  }
  if (!same_time(asked, day)) return std::nullopt;
  return seconds;
}

bool is_zone(const std::string& name) {
  std::error_code error;
  return !name.empty() && name[0] != '/' && name.find("..") == name.npos &&
         std::filesystem::is_regular_file(zone_file(name), error);
}

std::string time_in(std::int64_t seconds, const std::string& zone) {
  const InZone there(zone);
  const std::time_t time = seconds;
  std::tm day{};
  char text[64] = "";
  if (localtime_r(&time, &day)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", &day);
  return text;
}

double kept_after(const LatePolicy& policy, int days) {
  if (policy.days > 0 && days > policy.days) return 0;
  return std::max(0.0, 1 - days * policy.percent_a_day / 100);
}

Lateness lateness(const LatePolicy& policy, std::optional<std::int64_t> due, std::int64_t at) {
  constexpr std::int64_t kDay = 24 * 60 * 60;
  if (!due || at <= *due + policy.grace_minutes * 60) return {};
  Lateness late;
  late.days = static_cast<int>((at - *due + kDay - 1) / kDay);
  late.keeps = kept_after(policy, late.days);
  return late;
}

} // namespace course::classroom
