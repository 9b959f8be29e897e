// What an instructor decides about a class, in one small file: class.toml.
//
//   course = "CS 420, autumn 2026"
//   language = "zh"                 # of pages and reports
//   zone = "Europe/Berlin"          # of times that say none
//   drop = ["time"]                 # checks that count for nobody
//   exercises = ["05_transpose/1_tile", "05_transpose/2_pad"]
//
//   [late]
//   percent_a_day = 10
//   days = 3
//
//   [labs.05_transpose]
//   due = 2026-11-20T23:59:00
//   total = 20                      # what its points are scaled to
//   exercises.2_pad = {weight = 2, points = {conflicts = 30}}
//
//   [students.anna]
//   extra_days = 2
//
// INSTRUCTORS.md has every key. Everything may be left out. What is misspelt, twice there, or of
// the wrong kind is an error with its line: a misspelt deadline would otherwise be none.
#pragma once

#include "classroom/clock.hpp"
#include "lab/exercise.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

// What of an exercise's points counts.
enum class Counting {
  points,        // those of the checks that passed, also what the untouched skeleton has
  passed,        // all of them when it passed, else none
  above_skeleton // those beyond what the untouched skeleton has, of those that it has not
};

struct ExerciseSettings {
  double weight = 1; // its points are multiplied by it, as by its lab's
  std::optional<Counting> counts;
  std::set<std::string> drop;        // checks that do not count
  std::map<std::string, int> points; // of checks, instead of the exercise's own
};

struct LabSettings {
  std::optional<std::int64_t> due; // seconds since 1970
  double weight = 1;               // its points are multiplied by it
  std::optional<double> total;     // what it is scaled to instead
  std::optional<LatePolicy> late;
  std::optional<Counting> counts;
  std::set<std::string> drop;
  std::string column;                                // its name in tables for platforms
  std::map<std::string, ExerciseSettings> exercises; // by name: "2_pad"
};

// For one student, in all labs or in one.
struct Exception {
  std::optional<std::int64_t> due, submitted; // instead of the lab's, and of what clocks say
  int extra_days = 0;                         // after the lab's own deadline
};
struct StudentSettings {
  std::string who;   // a name, an ID or an e-mail address; once found, Member::id
  std::string where; // "class.toml:12", for errors
  Exception all;
  std::map<std::string, Exception> labs;
};

struct Settings {
  std::string course;                // its name; "": what pages say for one
  std::optional<std::uint64_t> seed; // of all inputs; drawn once when it is not given
  std::string zone;                  // of times that say none, and of those that are shown
  std::string language;              // of all that is written; a catalogue's: "zh_CN"; "": English
  std::string encoding;              // of names and tables that are no Unicode: "GBK"
  std::string teams = "Team";        // the roster's column of who hand in together
  bool newest_counts = false;        // of two files for one exercise; else neither does
  bool tell_seed = false;            // pages say the seed
  bool feedback_at_once = false;     // services show tests before grades are published
  bool anonymous = false;            // pages and tables have numbers for names
  Counting counts = Counting::above_skeleton;
  std::set<std::string> drop;
  std::optional<double> total; // what everything together is scaled to
  LatePolicy late;
  int free_days = 0; // late days in all labs together that cost a student nothing
  std::map<std::string, LabSettings> labs;
  std::vector<std::string> exercises; // that are asked for; empty: all handed in by anyone
  std::vector<StudentSettings> students;
};

// What of these settings is in the records and verdicts of a class that was graded with others: the
// names of those that tables alone cannot apply.
std::vector<std::string> only_by_grading(const Settings& before, const Settings& now);

// What holds for a student, by Member::id, in a lab: the lab's deadline with what was granted, and
// the instructor's word on when it was handed in.
struct Due {
  std::optional<std::int64_t> due, submitted; // seconds since 1970
};
Due due_of(const Settings&, const std::string& student, const std::string& lab);

// A sentence with the line when it cannot be used. `name`: what the text is called in errors.
std::variant<Settings, std::string> read_settings(const std::string& text, const std::string& name,
                                                  const std::vector<lab::Exercise>& known);

} // namespace course::classroom
