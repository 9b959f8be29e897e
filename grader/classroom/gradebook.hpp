// A student's grades from what was handed in, the verdicts and the settings of the class.
#pragma once

#include "classroom/class_list.hpp"
#include "classroom/decisions.hpp"
#include "classroom/late_days.hpp"
#include "classroom/record.hpp"
#include "classroom/settings.hpp"
#include "classroom/verdict_store.hpp"
#include "lab/exercise.hpp"
#include "report/graded.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

// Who it is, as tables for platforms say it; also where pages do not.
void say_who(report::GradedStudent&, const Person&);

class Gradebook {
public:
  // `asked`: ids of the exercises that count, in the order of the course.
  Gradebook(const Settings&, const std::vector<lab::Exercise>&, std::vector<std::string> asked);

  // An exercise that nobody could be graded in has the points of its definition.
  void note_points(const report::GradedExercise&);

  // What the untouched skeleton earns, for Counting::above_skeleton.
  void note_skeleton(const report::GradedExercise&);
  // Exercises that need it, and of these those that have none: there, all points count.
  std::set<std::string> above_skeleton() const;
  std::set<std::string> without_skeleton() const;

  // Exercises whose skeleton has all of the points that the settings leave: nobody can earn any.
  std::set<std::string> nothing_to_earn() const;

  // What each lab is called and worth, and all of them together; nobody's score.
  report::GradedStudent possible() const;

  // `work`: what the student, or the team, handed in. `decisions`: about this student.
  report::GradedStudent student(const Member&, const Work&, const VerdictStore&,
                                const std::vector<Decision>& decisions = {}) const;

private:
  void add_up(report::GradedStudent&) const;
  struct Deadline {
    std::optional<std::int64_t> due, at;
    std::string clock;
  };
  std::map<std::string, LateLab> late_labs_of(const Member&, const Work&,
                                              const std::set<std::string>& labs) const;
  report::GradedExercise exercise(const Member&, const Work&, const std::string& id,
                                  const VerdictStore&) const;
  report::GradedExercise as_found(const Member&, const Work&, const std::string& id,
                                  const VerdictStore&) const;
  void count_checks(report::GradedExercise&) const;
  void decide(report::GradedExercise&, const Decision&) const;
  void count_points(report::GradedExercise&) const;
  Counting counting(const std::string& id) const;
  int points_of(const lab::Exercise&) const;
  double weight_of(const std::string& id) const;
  void add(report::GradedStudent&, const report::GradedExercise&) const;
  Deadline deadline(const Member&, const Work&, const std::string& lab) const;

  const Settings& settings_;
  const std::vector<lab::Exercise>& exercises_;
  std::vector<std::string> asked_;
  std::map<std::string, int> most_;     // points of each
  std::map<std::string, int> skeleton_; // points of its skeleton
};

// A sentence with the line when the settings name a student whom nobody is, or several are.
std::string unknown_student(const Settings&, const std::vector<Member>&);

// The settings with the id of whom each exception is for, as `shown` has it: the same members as
// pages say them.
Settings with_ids(Settings, const std::vector<Member>& members, const std::vector<Member>& shown);

} // namespace course::classroom
