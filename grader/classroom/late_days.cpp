#include "classroom/late_days.hpp"

#include <algorithm>
#include <utility>

namespace course::classroom {

LatePolicy late_policy_of(const Settings& settings, const std::string& lab) {
  const auto at = settings.labs.find(lab);
  return at == settings.labs.end() ? settings.late : at->second.late.value_or(settings.late);
}

std::map<std::string, LateLab> late_labs(const Settings& settings,
                                         const std::vector<HandedInLab>& all) {
  std::vector<std::pair<std::int64_t, std::string>> by_deadline;
  std::map<std::string, LateLab> late;
  for (const auto& one : all) {
    auto& lateness = late[one.lab].lateness;
    lateness = classroom::lateness(late_policy_of(settings, one.lab), one.due, one.at);
    if (lateness.keeps < 1) by_deadline.emplace_back(one.due, one.lab);
  }
  std::ranges::sort(by_deadline);
  int left = settings.free_days;
  for (const auto& [due, lab] : by_deadline) {
    auto& one = late[lab];
    const int free = std::min(left, one.lateness.days);
    const double keeps = kept_after(late_policy_of(settings, lab), one.lateness.days - free);
    if (keeps <= one.lateness.keeps) continue; // too late for them to help
    one.free = free;
    left -= free;
    one.lateness.keeps = keeps;
  }
  return late;
}

} // namespace course::classroom
