// The student's project, as the commands about progress see it.
#pragma once

#include "lab/exercise.hpp"
#include "progress/log.hpp"
#include "progress/standing.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::cli {

// The log: $COURSE_STATE, else .course/progress.jsonl in the folder that is worked in
// (project.hpp).
std::filesystem::path progress_file(const std::filesystem::path& root);

struct Student {
  std::filesystem::path root; // of the course
  std::filesystem::path work; // with the student's own labs/: work_folder(root)
  progress::Log log;
  std::vector<progress::Event> events;
  std::vector<progress::Standing> standings; // of all exercises
};

// `root` as typed, or empty. A damaged log is reported on standard error, and what can be read of
// it is used. A message where there is no course.
std::variant<Student, std::string> find_student(const std::string& root = "");

// The exercise that is meant by a word, or the current one when there is none; or a message.
std::variant<const lab::Exercise*, std::string> exercise_of(const Student&,
                                                            const std::string& word);

// The same, where the one that was worked on last is meant without a word: solved, too.
std::variant<const lab::Exercise*, std::string> last_exercise_of(const Student&,
                                                                 const std::string& word);

// Writes one event with the time of now; what goes wrong is said on standard error.
void remember(const progress::Log&, progress::Event);

// Tells a verdict on the student's own file of the exercise that it was solved before, where it
// was.
void tell_standing(const std::filesystem::path& root, const lab::Exercise&,
                   const std::filesystem::path& graded, judge::Verdict&);

// Remembers a verdict, when it is on the student's own file of the exercise and not on a solution
// or a file elsewhere. The verdict is told what was before it: the standing, and by a note the
// first answers, where it is not on them.
void remember(const std::filesystem::path& root, const lab::Exercise&,
              const std::filesystem::path& graded, judge::Verdict&);

// After a student's own file has passed: what to do next. Empty for other files.
std::string next_after(const std::filesystem::path& root, const lab::Exercise&,
                       const std::filesystem::path& graded, const report::Terminal&);

} // namespace course::cli
