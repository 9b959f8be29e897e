// What instructors decide about single exercises, and say to students: kept apart from what was
// measured, with a reason and a date, and undone as easily.
//
//   RESULTS/decisions.jsonl      a line each, only ever appended to
#pragma once

#include "classroom/whom.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct Decision {
  enum class Kind {
    score,   // points instead of those that were measured
    comment, // words to the student
    request, // a student asks for another look; open until it is answered, or a score is decided
    answer,  // of a request, in words to the student
    file     // which of two files for an exercise counts: `words` is its name
  };
  int number = 0; // from 1, for --undo
  Kind kind = Kind::score;
  std::string date = {}; // "2026-11-22T14:03:07Z"; of older ones the day alone
  std::string by = {};   // who decided: a name or a login; empty: an older one
  Whom student = {};
  std::string exercise = {}; // empty: the submission as a whole
  double points = 0;         // to the hundredth
  int most = 0; // points that the exercise had then; 0: an older decision, or not in the tables
  std::string words = {}; // the reason, the comment, the request, the answer
  int answers = 0;        // the number of the request
};

// Those that were not undone, in their order. A sentence with the line when one cannot be read:
// nothing of what was decided is passed over.
std::variant<std::vector<Decision>, std::string>
read_decisions(const std::filesystem::path& results);

// Gives them the next numbers, the time and, where they name nobody, whose process this is, and
// appends them in one step. Throws std::filesystem::filesystem_error.
std::vector<Decision> add_decisions(const std::filesystem::path& results, std::vector<Decision>);
Decision add_decision(const std::filesystem::path& results, Decision);

// Whether there was one of this number, which is undone now, by `by` or whose process this is.
// Throws as add_decision does.
bool undo_decision(const std::filesystem::path& results, int number, const std::string& by = "");

// Which file of a submission counts for an exercise, by its id, where somebody said so.
// `record`: of the submission.
std::map<std::string, std::string> files_that_count(const std::vector<Decision>&,
                                                    const std::string& record);

// "45.5" as points, from 0 on and to the hundredth; a sentence where it is none.
std::variant<double, std::string> points_said(const std::string& text);

// Requests that nobody answered, and that no score of the same student and exercise came after.
std::vector<Decision> open_requests(const std::vector<Decision>&);

// As they hold in a class: `student` is who it is now, and what is decided of a team's work is
// there for each of its members. `of_nobody`: about somebody who is not in the class, as far as can
// be told.
struct Decided {
  std::vector<Decision> all, of_nobody;
};
Decided decided_in(const std::vector<Decision>&, const std::vector<Member>&);

} // namespace course::classroom
