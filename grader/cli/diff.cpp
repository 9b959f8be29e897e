// `course diff`: what the student changed, and, once it is solved, what the course would have.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "progress/line_diff.hpp"
#include "progress/skeleton.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct DiffOptions {
  std::string exercise;
  bool solution = false;
};

void print(const std::string& from, const std::string& to, const std::string& before,
           const std::string& after) {
  const auto terminal = screen(Colour::automatic);
  const auto text = progress::line_diff(before, after, terminal);
  const auto line = [&](const std::string& words, report::Ink ink) {
    for (const auto& part : report::lines_of(report::wrapped(words, terminal.columns, 0)))
      fmt::print("{}\n", report::inked(part, ink, terminal));
  };
  line("--- " + from, report::Ink::red);
  line("+++ " + to, report::Ink::green);
  fmt::print("{}", text.empty() ? tr("They are equal.") + "\n" : text);
}

int diff(const Student& student, const lab::Exercise& exercise, bool solution) {
  const auto path = lab::skeleton_of(exercise);
  const auto file = student.work / path;
  std::error_code none;
  const auto mine = fs::is_regular_file(file, none) ? system::content_of(file) : std::nullopt;
  if (!mine)
    return complain("course diff", kSetUp,
                    tr("{} cannot be read. ./course reset {} brings it back as it "
                       "began.",
                       path.string(), exercise.id));
  const auto at = std::ranges::find_if(student.standings, [&](const progress::Standing& standing) {
    return standing.exercise->id == exercise.id;
  });
  const bool solved = at != student.standings.end() && at->solved;
  if (solution && !solved)
    return complain("course diff", kFailed,
                    tr("{} is not solved yet; the solution is compared once it "
                       "is. A nudge: ./course hint {}",
                       exercise.id, exercise.id));
  if (solution) {
    const auto solved_path = lab::solution_of(exercise);
    const auto theirs = system::content_of(exercise.solution);
    if (!theirs)
      return complain("course diff", kSetUp,
                      tr("{} is not there: your course came without it.", solved_path.string()));
    print(tr("{} (yours)", path.string()), solved_path.string(), *mine, *theirs);
    return kPassed;
  }
  const auto skeleton = progress::find_skeleton(exercise, student.root, skeleton_copies());
  if (!skeleton)
    return complain("course diff", kSetUp,
                    tr("the file that {} began as is not to be found.", exercise.id));
  print(tr("as it began ({})", skeleton->source()), path.string(), skeleton->text, *mine);
  if (solved && std::filesystem::exists(exercise.solution))
    fmt::print("\n{}",
               report::wrapped(tr("It is solved. Beside the course's solution: {}",
                                  report::unbroken("./course diff " + exercise.id + " --solution")),
                               screen(Colour::never).columns, 0));
  return kPassed;
}

int diff(const DiffOptions& options) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course diff", kUsage, *what);
  const auto& student = std::get<Student>(found);
  const auto exercise = exercise_of(student, options.exercise);
  if (const auto* what = std::get_if<std::string>(&exercise))
    return complain("course diff", kUsage, *what);
  return diff(student, *std::get<const lab::Exercise*>(exercise), options.solution);
}

} // namespace

void add_diff(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "diff", "What you changed in an exercise");
  const auto options = std::make_shared<DiffOptions>();
  command->footer("Examples:\n"
                  "  course diff                     the exercise you are at, since it began\n"
                  "  course diff 2_pad               this one\n"
                  "  course diff 2_pad --solution    beside the solution, once yours has passed\n");
  command->add_option("EXERCISE", options->exercise,
                      "As for course grade; the one you are at by default");
  command->add_flag("--solution", options->solution,
                    "Your file beside the solution, once it has passed");
  command->callback([options, &exit_code] { exit_code = diff(*options); });
}

} // namespace course::cli
