// A student's grades from the record, the verdicts and the settings of the class.
#pragma once

#include "classroom/record.hpp"
#include "classroom/settings.hpp"
#include "classroom/verdict_store.hpp"
#include "lab/exercise.hpp"
#include "report/graded.hpp"

#include <map>
#include <string>
#include <vector>

namespace course::classroom {

class Gradebook {
public:
  // `asked`: ids of the exercises that count, in the order of the course.
  Gradebook(const Settings&, const std::vector<lab::Exercise>&, std::vector<std::string> asked);

  // An exercise that nobody could be graded in has the points of its definition.
  void note_points(const report::GradedExercise&);

  report::GradedStudent student(const Record&, const VerdictStore&) const;

private:
  report::GradedExercise exercise(const Record&, const std::string& id, const VerdictStore&) const;

  const Settings& settings_;
  const std::vector<lab::Exercise>& exercises_;
  std::vector<std::string> asked_;
  std::map<std::string, int> most_; // points of each
};

} // namespace course::classroom
