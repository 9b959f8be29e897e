// Grades as Canvas and Moodle import them: a column for each lab.
//
//   RESULTS/canvas.csv   Student, ID, SIS User ID, SIS Login ID, Section, LAB…; "Points Possible"
//   in
//                        the second row, as in a gradebook that Canvas exports
//   RESULTS/moodle.csv   ID number, Username, Email address, Full name, LAB…, Total, Feedback
//
// A lab has the same points for all: where the grader still owes somebody an exercise, what they
// have is scaled to them. Names are as in the roster: a formula in one is kept from acting.
#pragma once

#include "report/graded.hpp"

#include <string>
#include <vector>

namespace course::classroom {

class PlatformTables {
public:
  // `labs`: what each is called and worth; `total`: what they come to together.
  PlatformTables(std::vector<report::GradedLab> labs, double total);

  std::string canvas_header() const; // two rows
  std::string canvas_row(const report::GradedStudent&) const;
  std::string moodle_header() const;
  std::string moodle_row(const report::GradedStudent&) const;

private:
  std::vector<std::string> cells(const report::GradedStudent&) const;
  std::vector<report::GradedLab> labs_;
  double total_;
};

} // namespace course::classroom
