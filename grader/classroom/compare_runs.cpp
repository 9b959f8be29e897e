#include "classroom/compare_runs.hpp"

#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct StudentThen {
  std::string name, total;
  std::map<std::string, std::string> exercises; // what became of each
};
struct ClassThen {
  std::vector<std::string> order; // ids
  std::map<std::string, StudentThen> students;
};

std::string outcome_of(const Json& exercise) {
  const std::string verdict = exercise.at("verdict");
  const std::string word = verdict.empty() ? exercise.at("state").get<std::string>() : verdict;
  if (!exercise.at("counts").get<bool>()) return word;
  return fmt::format("{}, {} of {}", word, exercise.at("points").get<int>(),
                     exercise.at("max_points").get<int>());
}

ClassThen read_class(const fs::path& results) {
  const auto json = Json::parse(system::content_of(results / "grades.json").value_or(""));
  ClassThen found;
  for (const auto& student : json.at("students")) {
    const std::string id = student.at("id");
    found.order.push_back(id);
    auto& one = found.students[id];
    one.name = student.at("name");
    one.total = fmt::format("{:.2f} of {:.2f}", student.at("score").get<double>(),
                            student.at("max_score").get<double>());
    for (const auto& exercise : student.at("exercises"))
      one.exercises[exercise.at("exercise")] = outcome_of(exercise);
  }
  return found;
}

void compare_student(const StudentThen& before, const StudentThen& after,
                     std::vector<Change>& changes) {
  const auto start = changes.size();
  const auto of = [](const StudentThen& student, const std::string& exercise) {
    const auto at = student.exercises.find(exercise);
    return at == student.exercises.end() ? std::string() : at->second;
  };
  std::map<std::string, int> all;
  for (const auto* student : {&before, &after})
    for (const auto& [exercise, outcome] : student->exercises) all[exercise];
  for (const auto& [exercise, ignored] : all)
    if (of(before, exercise) != of(after, exercise))
      changes.push_back({after.name, exercise, of(before, exercise), of(after, exercise)});
  if (changes.size() == start && before.total != after.total) // settings or lateness
    changes.push_back({after.name, "", before.total, after.total});
}

} // namespace

std::variant<std::vector<Change>, std::string> compare(const fs::path& before,
                                                       const fs::path& after) {
  ClassThen old, now;
  for (const auto& [results, into] : {std::pair(&before, &old), std::pair(&after, &now)}) {
    try {
      *into = read_class(*results);
    } catch (const Json::exception&) {
      return (*results / "grades.json").string() + " cannot be read: it has to be a folder that "
                                                   "course class has written";
    }
  }
  std::vector<Change> changes;
  for (const auto& id : now.order) {
    const auto& student = now.students.at(id);
    const auto then = old.students.find(id);
    if (then == old.students.end()) {
      changes.push_back({student.name, "", "", student.total});
    } else {
      compare_student(then->second, student, changes);
    }
  }
  for (const auto& id : old.order)
    if (!now.students.count(id))
      changes.push_back({old.students.at(id).name, "", old.students.at(id).total, ""});
  return changes;
}

} // namespace course::classroom
