// What gradebooks, feedback services and pages are made from: a student's exercises as they were
// graded, or why they were not.
//
// The writers beside this file (csv.hpp, gradescope.hpp, junit.hpp, …) are pure functions of it.
// Text in it may come from a student: each writer makes it harmless for its own format.
#pragma once

#include "judge/check.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace course::report {

enum class State {
  graded,
  missing, // not in the submission: no points
  refused, // there, but it cannot be told what to grade, or never graded: no points, and a reason
  not_graded, // not yet, or the grader could not: neither points nor a loss
};
const char* name(State); // as in the JSON: "not_graded"

struct GradedCheck {
  std::string name;
  judge::Status status = judge::Status::not_measured;
  std::string observed, limit, message;
  int points = 0, max_points = 0;
  std::uint32_t line = 0; // in the student's file; 0: no one line
};

struct GradedExercise {
  std::string id, title; // "05_transpose/2_pad"
  State state = State::missing;
  std::string reason;  // when not graded: why, a sentence
  std::string path;    // in the submission: "mine/2_pad.cu"; empty when missing
  std::string verdict; // as in verdict.schema.json: "did_not_compile"; empty when not graded
  double points = 0;   // earned; an instructor may decide half ones
  int max_points = 0;  // that could be earned on the device
  // What both come to in the student's score: lateness, weights and totals applied.
  double score = 0, max_score = 0;
  double seconds = 0;              // that grading took
  std::string handed_in, clock;    // when, and by whose clock: "2026-11-20 23:59 CET", "Moodle"
  std::string late;                // "1 day late, 10% off"; empty when in time
  std::string decided;             // an instructor's decision about the points; empty: as graded
  std::vector<GradedCheck> checks; // steps worth no points included
  std::string headline, advice, compiler;
  std::string wide, narrow; // the report of terminal.hpp in colour, at 80 and at kNarrow columns

  std::string lab() const { return id.substr(0, id.find('/')); }
  std::string name() const { return id.substr(id.find('/') + 1); }
  bool passed() const { return state == State::graded && verdict == "passed"; }
  // Whether points and max_points count: not for what the machine lacks (not_graded, set_up).
  bool counts() const;
  // Whether a class counts its points as they are.
  bool counts_as_it_is() const { return score == points && max_score == max_points; }
};
inline constexpr int kNarrow = 44; // what fits a telephone

// What the exercises of a lab come to, weights and lateness applied.
struct GradedLab {
  std::string lab;    // "05_transpose"
  std::string column; // its name in tables for platforms; empty: the lab's
  double score = 0, max_score = 0;
};

struct GradedStudent {
  std::string id;                    // safe for file names and URLs
  std::string name;                  // as handed in
  std::vector<std::string> problems; // with the submission as a whole, a sentence each
  std::vector<std::string> notes;    // for instructors alone: "Not on the roster."
  std::vector<std::string> comments; // of instructors, to the student
  std::vector<GradedExercise> exercises;
  std::vector<GradedLab> labs;     // of these exercises, in their order
  double score = 0, max_score = 0; // weights and lateness applied
  std::string late;                // "05_transpose 1 day late, 10% off"; empty when in time
  // What platforms know students by; empty where there is no roster.
  std::string school_id, sortable, email, login, section, team, platform;
};

// From a verdict as in verdict.schema.json. Throws nlohmann::json::exception when it is none.
GradedExercise graded_exercise(const nlohmann::json& verdict);

// What became of it, in a word or two: "passed", "did not compile", "missing".
std::string outcome(const GradedExercise&);

// Why it did not pass, in a sentence; empty when it did. The first failed check, or the reason.
std::string reason(const GradedExercise&);

// A whole number as one: 45, and 45.5.
nlohmann::ordered_json json_number(double);

// Whether that reason is what is wrong with the submission as a whole, too.
bool is_of_submission(const GradedStudent&, const GradedExercise&);

} // namespace course::report
