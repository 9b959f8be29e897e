#include "classroom/gradebook.hpp"

#include "report/page.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace course::classroom {
namespace {

using report::GradedExercise;
using report::State;

// Without the check that needs a GPU.
int points_without_time(const lab::Exercise& exercise) {
  int points = 0;
  for (const auto& check : exercise.checks)
    if (check.check != "time") points += check.points;
  return points;
}

std::string attempts(const Row& row) {
  if (row.failed.empty()) return "It was not graded yet.";
  const bool given_up = row.failed.size() >= kMostAttempts;
  return fmt::format("The grader failed at it, {} {}; the last time on {}. {}", row.failed.size(),
                     row.failed.size() == 1 ? "time" : "times", row.failed.back(),
                     given_up ? "It counts as 0 points until an instructor decides."
                              : "It will be tried again.");
}

std::string days(int count) {
  return fmt::format("{} {} late", count, count == 1 ? "day" : "days");
}

} // namespace

Gradebook::Gradebook(const Settings& settings, const std::vector<lab::Exercise>& exercises,
                     std::vector<std::string> asked)
    : settings_(settings), exercises_(exercises), asked_(std::move(asked)) {
  for (const auto& exercise : exercises) most_[exercise.id] = points_without_time(exercise);
}

void Gradebook::note_points(const GradedExercise& graded) {
  if (graded.counts() && graded.max_points > 0) most_[graded.id] = graded.max_points;
}

GradedExercise Gradebook::exercise(const Record& record, const std::string& id,
                                   const VerdictStore& store) const {
  const auto row = std::find_if(record.rows.begin(), record.rows.end(),
                                [&](const Row& one) { return one.exercise == id; });
  GradedExercise graded;
  if (row == record.rows.end()) {
    graded.state = record.read ? State::missing : State::not_graded;
    graded.reason = !record.read              ? "Nobody has looked into this submission yet."
                    : record.problems.empty() ? "It is not in the submission."
                                              : record.problems.front();
  } else if (!row->refused.empty()) {
    graded.state = State::refused;
    graded.reason = row->refused;
  } else if (auto stored = store.find(row->key)) {
    graded = std::move(stored->graded);
  } else {
    // What only ever fails, on whatever machine, the file may bring about: that must not pay.
    const bool given_up = row->failed.size() >= kMostAttempts;
    graded.state = given_up ? State::refused : State::not_graded;
    graded.reason = attempts(*row);
  }
  graded.id = id;
  if (row != record.rows.end()) graded.path = row->file;
  if (graded.state != State::graded) graded.max_points = most_.at(id);
  const auto known = std::find_if(exercises_.begin(), exercises_.end(),
                                  [&](const auto& exercise) { return exercise.id == id; });
  if (known != exercises_.end()) graded.title = known->title;
  return graded;
}

report::GradedStudent Gradebook::student(const Record& record, const VerdictStore& store) const {
  report::GradedStudent student;
  student.id = record.id;
  student.name = record.name;
  student.problems = record.problems;
  const auto told = settings_.submitted.find(record.name);
  const auto at = told != settings_.submitted.end() ? told->second : record.newest;
  std::map<std::string, Lateness> late;
  for (const auto& id : asked_) {
    auto graded = exercise(record, id, store);
    const auto about = settings_.labs.find(graded.lab());
    const LabSettings lab = about != settings_.labs.end() ? about->second : LabSettings{};
    const auto lateness = classroom::lateness(settings_.late, lab.due, at);
    const bool there = graded.state == State::graded;
    if (graded.counts()) {
      student.score += lab.weight * lateness.keeps * graded.points;
      student.max_score += lab.weight * graded.max_points;
    }
    if (there && lateness.days > 0) late[graded.lab()] = lateness;
    student.exercises.push_back(std::move(graded));
  }
  for (const auto& [lab, one] : late)
    student.late += fmt::format("{}{} {}, {}% off", student.late.empty() ? "" : "; ", lab,
                                days(one.days), report::number(100 * (1 - one.keeps)));
  return student;
}

} // namespace course::classroom
