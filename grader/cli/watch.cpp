// `course watch`: grades what is saved, at once, in place.
#include "cli/watch_session.hpp"

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/raw_terminal.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "cli/supervised.hpp"
#include "language/translate.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace course::cli {
namespace {

void show_again(std::FILE& left) {
  std::rewind(&left);
  for (int c = std::fgetc(&left); c != EOF; c = std::fgetc(&left)) std::putchar(c);
}

int watch(const std::string& word) {
  auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course watch", kUsage, *what);
  auto& student = std::get<Student>(found);
  const bool all_solved = !progress::current(student.standings);
  const auto meant = all_solved ? last_exercise_of(student, word) : exercise_of(student, word);
  if (const auto* what = std::get_if<std::string>(&meant))
    return complain("course watch", kUsage, *what);
  const auto& exercise = *std::get<const lab::Exercise*>(meant);
  if (!is_drawable())
    return complain("course watch", kUsage,
                    tr("it draws on a terminal, and this is none. ./course grade {} grades once.",
                       exercise.id));
  const auto place = find_workplace();
  if (const auto what = missing(place); !what.empty() && place.toolkit)
    return complain("course watch", kSetUp, what);
  if (const auto what = uncontained(); !what.empty()) return complain("course watch", kSetUp, what);
  // What the session, a process of its own, leaves to be read on the screen that was there before.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> left(std::tmpfile(), std::fclose);
  int code = kPassed;
  {
    const RawTerminal raw; // out here: restored also when the work below crashes
    code = supervised([&] {
      WatchSession session(std::move(student), exercise);
      const int ended = session.run();
      if (left) std::fputs(session.last_words().c_str(), left.get());
      return ended;
    });
  }
  if (left) show_again(*left);
  return code;
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
