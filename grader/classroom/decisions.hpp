// What instructors decide about single exercises, and say to students: kept apart from what was
// measured, with a reason and a date, and undone as easily.
//
//   RESULTS/decisions.jsonl      a line each, only ever appended to
#pragma once

#include "classroom/whom.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct Decision {
  enum class Kind {
    score,   // points instead of those that were measured
    comment, // words to the student
    request, // a student asks for another look; open until it is answered, or a score is decided
    answer   // of a request, in words to the student
  };
  int number = 0; // from 1, for --undo
  Kind kind = Kind::score;
  std::string date = {}; // "2026-11-22T14:03:07Z"; of older ones the day alone
  std::string by = {};   // who decided: a login; empty: an older one
  Whom student = {};
  std::string exercise = {}; // empty: the submission as a whole
  int points = 0;
  int most = 0; // points that the exercise had then; 0: an older decision, or not in the tables
  std::string words = {}; // the reason, the comment, the request, the answer
  int answers = 0;        // the number of the request
};

// Those that were not undone, in their order. A sentence with the line when one cannot be read:
// nothing of what was decided is passed over.
std::variant<std::vector<Decision>, std::string>
read_decisions(const std::filesystem::path& results);

// Gives it the next number, the time and whose process this is, and appends it. Throws
// std::filesystem::filesystem_error.
Decision add_decision(const std::filesystem::path& results, Decision);

// Whether there was one of this number, which is undone now. Throws as add_decision does.
bool undo_decision(const std::filesystem::path& results, int number);

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
