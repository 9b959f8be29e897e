// `course next`: the exercise to do now.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "progress/meaning.hpp"
#include "progress/overview.hpp"

#include <fmt/format.h>

namespace course::cli {
namespace {

int next() {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found)) {
    say_wrong("course next", *what);
    return kUsage;
  }
  const auto& student = std::get<Student>(found);
  const auto* standing = progress::current(student.standings);
  const auto terminal = screen(Colour::automatic);
  fmt::print("{}", progress::next_step(standing, terminal));
  if (!standing) return kPassed;
  const auto& id = standing->exercise->id;
  fmt::print("{}", report::wrapped(tr("It belongs to {}.",
                                      progress::chapter_of(*standing->exercise, student.root)),
                                   terminal.columns, 2));
  fmt::print("\n{}{}", report::wrapped("./course watch " + id, terminal.columns, 4),
             report::wrapped("./course hint " + id, terminal.columns, 4));
  return kPassed;
}

} // namespace

void add_next(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "next", "The exercise to do now");
  command->footer("Examples:\n"
                  "  course next    the one you are at, or the first that is not solved yet\n");
  command->callback([&exit_code] { exit_code = next(); });
}

} // namespace course::cli
