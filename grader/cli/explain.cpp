// `course explain`: what the numbers of the last verdict mean.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "progress/meaning.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

int explain(const std::string& word) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course explain", kUsage, *what);
  const auto& student = std::get<Student>(found);
  const auto meant = last_exercise_of(student, word);
  if (const auto* what = std::get_if<std::string>(&meant))
    return complain("course explain", kUsage, *what);
  const auto& exercise = *std::get<const lab::Exercise*>(meant);
  const auto terminal = screen(Colour::automatic);
  const auto* last = progress::last_run(student.events, exercise.id);
  if (!last) {
    fmt::print("{}",
               report::wrapped(tr("{} was not graded yet, so there are no numbers to explain. {} "
                                  "makes some.",
                                  exercise.id, report::unbroken("./course grade " + exercise.id)),
                               terminal.columns, 2));
    return kPassed;
  }
  const auto head = "  " + tr("{}, as graded last: {} of {} points", exercise.id, last->run.points,
                              last->run.max_points);
  fmt::print("{}\n\n{}", report::inked(head, report::Ink::bold, terminal),
             progress::explain(exercise, last->run, progress::chapter_of(exercise, student.root),
                               terminal));
  return kPassed;
}

} // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto* command =
      add_command(app, "explain", "What the numbers of your last verdict mean, and where to read");
  const auto exercise = std::make_shared<std::string>();
  command->footer("Examples:\n"
                  "  course explain          the exercise graded last\n"
                  "  course explain 2_pad    this one\n");
  command->add_option("EXERCISE", *exercise, "As for course grade; the one graded last by default");
  command->callback([exercise, &exit_code] { exit_code = explain(*exercise); });
}

} // namespace course::cli
