#include "cli/student.hpp"

#include "cli/chosen.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "progress/first_answers.hpp"
#include "progress/skeleton.hpp"
#include "system/environment.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

void complain(const std::string& what) {
  const auto width = screen_of_errors(Colour::never).columns;
  if (!what.empty()) fmt::print(stderr, "{}", report::wrapped("course: " + what, width, 0));
}

// Without git's history what is compared may be of an older course, or an emptied solution: a file
// whose regions all still ask for the work may be as it began.
bool is_surely_edited(const std::string& now, const progress::Skeleton& began) {
  using From = progress::Skeleton::From;
  const bool may_be_new = progress::is_skeleton(now, std::nullopt);
  return progress::is_edited(now, began.text) &&
         (began.from == From::history || (began.from == From::copy && !may_be_new));
}

// Of those that were never graded: whether the file is as it began. The build's copy is looked at
// first, as it is at hand; it may be of an older version of the course, so git has the last word.
void see_edits(std::vector<progress::Standing>& all, const fs::path& root) {
  for (auto& standing : all) {
    if (standing.runs > 0) continue;
    const auto path = lab::skeleton_of(*standing.exercise);
    const auto now = system::content_of(work_folder(root) / path);
    const auto began = system::content_of(skeleton_copies() / path);
    if (!now || !began || !progress::is_edited(*now, *began)) continue;
    const auto skeleton = progress::find_skeleton(*standing.exercise, root, skeleton_copies());
    standing.edited = skeleton && is_surely_edited(*now, *skeleton);
  }
}

bool is_own(const fs::path& root, const lab::Exercise& exercise, const fs::path& graded) {
  std::error_code none;
  return fs::equivalent(graded, work_folder(root) / lab::skeleton_of(exercise), none);
}

} // namespace

fs::path progress_file(const fs::path& root) {
  const auto chosen = system::environment("COURSE_STATE").value_or("");
  return chosen.empty() ? work_folder(root) / ".course" / "progress.jsonl" : fs::path(chosen);
}

std::variant<Student, std::string> find_student(const std::string& given) {
  const auto root = find_root(given);
  if (!root) return no_root();
  const progress::Log log(progress_file(*root));
  auto remembered = log.read();
  complain(remembered.complaint);
  auto standings = progress::standings(lab::exercises(*root), remembered.events);
  see_edits(standings, *root);
  return Student{*root, work_folder(*root), log, std::move(remembered.events),
                 std::move(standings)};
}

std::variant<const lab::Exercise*, std::string> exercise_of(const Student& student,
                                                            const std::string& word) {
  if (word.empty()) {
    const auto* standing = progress::current(student.standings);
    if (standing) return standing->exercise;
    return tr("every exercise is solved; say which one is meant, as in 05_transpose/2_pad");
  }
  const auto chosen = choose(student.root, {word});
  if (const auto* what = std::get_if<std::string>(&chosen)) return *what;
  return std::get<std::vector<Chosen>>(chosen).front().exercise;
}

std::variant<const lab::Exercise*, std::string> last_exercise_of(const Student& student,
                                                                 const std::string& word) {
  const auto* standing = word.empty() ? progress::latest(student.standings) : nullptr;
  if (standing) return standing->exercise;
  return exercise_of(student, word);
}

void remember(const progress::Log& log, progress::Event event) {
  event.time = progress::now();
  complain(log.append(event));
}

void tell_standing(const fs::path& root, const lab::Exercise& exercise, const fs::path& graded,
                   judge::Verdict& verdict) {
  if (!is_own(root, exercise, graded)) return;
  verdict.solved_before =
      progress::solved_before(progress::Log(progress_file(root)).read().events, exercise);
}

void remember(const fs::path& root, const lab::Exercise& exercise, const fs::path& graded,
              judge::Verdict& verdict) {
  if (!is_own(root, exercise, graded)) return;
  const progress::Log log(progress_file(root));
  const auto before = log.read().events;
  verdict.solved_before = progress::solved_before(before, exercise);
  if (verdict.ending == judge::Ending::set_up) return; // says nothing about the student
  progress::Event event;
  event.kind = progress::Event::Kind::run;
  event.exercise = exercise.id;
  event.run = progress::run_of(verdict);
  const bool answered = !event.run.answers.empty();
  remember(log, std::move(event));
  if (!answered || !progress::first_answers(before, exercise.id)) return;
  if (const auto first = progress::first_answers(log.read().events, exercise.id))
    verdict.notes.push_back(*first);
}

std::string next_after(const fs::path& root, const lab::Exercise& exercise, const fs::path& graded,
                       const report::Terminal& terminal) {
  if (!is_own(root, exercise, graded)) return "";
  const auto all =
      progress::standings(lab::exercises(root), progress::Log(progress_file(root)).read().events);
  const auto* next = progress::after(all, exercise.id);
  if (!next) return "";
  return report::wrapped(
             tr("Next: {}, {}", next->exercise->id, language::of_course(next->exercise->title)),
             terminal.columns, 2) +
         report::wrapped(report::unbroken("./course watch"), terminal.columns, 4);
}

} // namespace course::cli
