// Every table and page of a class, made from the records: run it as often as you like.
//
//   RESULTS/index.html           the class
//   RESULTS/grades.csv           a line for each exercise of each student
//   RESULTS/totals.csv           a line a student
//   RESULTS/grades.json          everything, for programs
//   RESULTS/junit.xml            a suite a student, a case a check
//   RESULTS/similar.csv          files that are alike
//   RESULTS/alike/               a page for each group of them, two side by side
//   RESULTS/students/ID/         index.html and, where asked for, results for other services
//   RESULTS/canvas.csv, moodle.csv   as those platforms import them (platform_tables.hpp)
//   RESULTS/names.csv            who is who, where the class is anonymous
//
// What is there of students who are gone, or of services that are no longer asked for, is removed.
// A student at a time: memory does not grow with the class, but for a few hundred bytes for each
// different text of an exercise, which likeness is found from.
#pragma once

#include "classroom/decisions.hpp"
#include "classroom/public_files.hpp"
#include "classroom/settings.hpp"
#include "lab/exercise.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

struct Publishing {
  std::filesystem::path results;
  std::filesystem::path course; // the folder with labs/, for the skeletons
  const std::vector<lab::Exercise>* exercises = nullptr;
  Settings settings;
  std::uint64_t seed = 0;
  std::string made_with; // "emulated H200, bubblewrap, 0.1.0"
  std::string version;   // of the grader
  bool on_gpu = false;   // times were measured
  std::vector<Decision> decisions;
  std::vector<PublicFile> public_files; // that students' files are compared with
  std::set<std::string> formats;        // for each student, by name (report/format.hpp)
};

struct Published {
  std::size_t students = 0;
  std::size_t unread = 0;     // submissions that nobody has looked into yet
  std::size_t not_graded = 0; // exercises that are there and have no verdict
  std::size_t refused = 0;    // exercises that cannot be graded, and submissions with a problem
};

// Throws std::filesystem::filesystem_error.
Published publish_outputs(const Publishing&);

// Those that a class may ask for: of services that take a file of results for each student. Others
// are made while such a service runs the grader (`course autograde`).
std::set<std::string> formats_of_class();

// Exercises that are asked for and of which only what is above the skeleton's points counts; and of
// these those whose skeletons were not graded yet: tables would apply half of the settings.
struct Skeletons {
  std::set<std::string> needed, open;
};
Skeletons skeletons_of_class(const std::filesystem::path& results, const Settings&,
                             const std::vector<lab::Exercise>&);

} // namespace course::classroom
