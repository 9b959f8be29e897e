// `course watch`: grades what is saved, at once, in place.
#include "cli/watch_session.hpp"

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/raw_terminal.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "cli/supervised.hpp"
#include "sandbox/rung.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

int complain(ExitCode code, const std::string& what) {
  say_wrong("course watch", what);
  return code;
}

int watch(const std::string& word) {
  auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found)) return complain(kUsage, *what);
  auto& student = std::get<Student>(found);
  const auto meant = exercise_of(student, word);
  if (const auto* what = std::get_if<std::string>(&meant)) return complain(kUsage, *what);
  const auto& exercise = *std::get<const lab::Exercise*>(meant);
  if (!is_drawable())
    return complain(kUsage, "it draws on a terminal, and this is none. ./course grade " +
                                exercise.id + " grades once.");
  const auto place = find_workplace();
  if (const auto what = missing(place); !what.empty() && place.toolkit)
    return complain(kSetUp, what);
  if (sandbox::best_rung() == sandbox::Rung::process)
    return complain(kSetUp, "nothing on this machine can contain a program that is not trusted. "
                            "Install bubblewrap; ./course grade --help has another way");
  const RawTerminal raw; // out here: restored also when the work below crashes
  return supervised([&] { return WatchSession(std::move(student), exercise).run(); });
}

} // namespace

void add_watch(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "watch", "Grade what you save, each time you save it");
  const auto exercise = std::make_shared<std::string>();
  command->footer(
      "Save another exercise's file, and it moves there. Keys: h hint, n next, l list,\n"
      "e explain, q quit. What a GPU alone can tell, time, is left to course grade.\n\n"
      "Examples:\n"
      "  course watch          the exercise you are at\n"
      "  course watch 2_pad    this one\n");
  command->add_option("EXERCISE", *exercise, "As for course grade; the one you are at by default");
  command->callback([exercise, &exit_code] { exit_code = watch(*exercise); });
}

} // namespace course::cli
