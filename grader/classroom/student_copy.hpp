// The course as students clone it: without what gives answers away.
//
// Left out are solutions/ with the wrong variants and honest ways, attacks on the grader, traces
// of solutions (those of skeletons are for their book), tests with what they read, and programs of
// bench/ that solve exercises; labs/ has the skeletons as they were released; each exercise's third
// hint, which is the answer, is empty. In the end every file outside labs/ is looked at for what
// only a solution has.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace course::classroom {

struct StudentCopy {
  std::filesystem::path project;   // with labs/ and solutions/
  std::filesystem::path skeletons; // a tree with labs/, as the course gave them
  const std::vector<lab::Exercise>* exercises = nullptr;
  // Of what students get, the paths of the project that are wanted; empty: all.
  std::function<bool(const std::filesystem::path&)> wanted = {};
  // What stands at the end of a file there and not here, by its path: see solution_limits.hpp.
  std::map<std::filesystem::path, std::string> added = {};
};

// A file that has much of a solution.
struct Leak {
  std::filesystem::path file; // below the copy
  std::string exercise;
  double share = 0; // of what the solution has and the skeleton has not
};

// What is under version control, or, without git, what a project has by its names: never what
// somebody put beside it. `folder` has to be new or empty, and may be inside the project. What
// still gives an answer away is named; nothing is when all is well. Throws
// std::filesystem::filesystem_error.
std::vector<Leak> write_student_copy(const std::filesystem::path& folder, const StudentCopy&);
// The same, to a folder that may have other files.
std::vector<Leak> add_student_copy(const std::filesystem::path& folder, const StudentCopy&);

// Whether a path of the project is part of what students get.
bool is_for_students(const std::filesystem::path& path);

// Whether a path of that is needed where nothing but `course autograde` is built and run.
bool is_to_grade(const std::filesystem::path& path);

// The text of an exercise's page of data with an empty third hint; as it was where it has none.
std::string without_third_hint(const std::string& toml);
// The third hints in another language (chapters/LANGUAGE/labs/NN_name.toml) say "as in English".
std::string without_translated_hints(std::string toml);

} // namespace course::classroom
