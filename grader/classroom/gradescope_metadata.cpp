#include "classroom/gradescope_metadata.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace course::classroom {
namespace {

using Plain = nlohmann::json;

// A member of an object; null where there is none.
const Plain& in(const Plain& json, const char* name) {
  static const Plain kNothing;
  if (!json.is_object() || !json.contains(name)) return kNothing;
  return json.at(name);
}

std::optional<std::int64_t> time_at(const Plain& json, const char* name) {
  const auto& time = in(json, name);
  return time.is_string() ? time_of(time.get<std::string>()) : std::nullopt;
}

// "20.0" or 20.0
std::optional<double> points(const Plain& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const auto text = json.get<std::string>();
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{}) return std::nullopt;
  return value;
}

// Of a group, the latest; where nobody has one of their own, the assignment's.
std::optional<std::int64_t> due_of(const Plain& metadata) {
  auto due = time_at(in(metadata, "assignment"), "due_date");
  const auto& users = in(metadata, "users");
  if (!users.is_array()) return due;
  for (const auto& user : users)
    if (const auto own = time_at(in(user, "assignment"), "due_date"))
      due = std::max(due.value_or(*own), *own);
  return due;
}

} // namespace

void apply_gradescope(const std::string& text, const std::vector<lab::Exercise>& exercises,
                      Member& member, Settings& settings) {
  const auto metadata = Plain::parse(text, nullptr, false);
  if (const auto at = time_at(metadata, "created_at")) member.times[""] = {*at, "Gradescope"};
  const auto& assignment = in(metadata, "assignment");
  const auto total = points(in(assignment, "total_points"));
  if (total && *total > 0 && !settings.total) settings.total = total;
  const auto due = due_of(metadata);
  if (!due) return;
  const auto extension = *due - time_at(assignment, "due_date").value_or(*due);
  std::set<std::string> labs;
  for (const auto& exercise : exercises) labs.insert(exercise.lab());
  for (const auto& lab : labs) {
    auto& own = settings.labs[lab].due;
    own = own ? *own + extension : *due;
  }
}

} // namespace course::classroom
