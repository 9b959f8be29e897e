// `course hint`: a nudge for an exercise, more open each time.
#include "cli/chosen.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "progress/hints.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

struct HintOptions {
  std::string exercise;
  std::size_t number = 0; // 0: the next one
};

int hint(const HintOptions& options) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course hint", kUsage, *what);
  const auto& student = std::get<Student>(found);
  const auto exercise = exercise_of(student, options.exercise);
  if (const auto* what = std::get_if<std::string>(&exercise))
    return complain("course hint", kUsage, *what);
  const auto& meant = *std::get<const lab::Exercise*>(exercise);
  const auto number =
      options.number ? options.number : progress::next_hint(student.standings, meant);
  if (number > meant.hints.size())
    return complain("course hint", kUsage,
                    tr("{} has {} hints here", meant.id, meant.hints.size()));
  fmt::print("{}", progress::hint(meant, number, student.root, screen(Colour::automatic)));
  remember(student.log, progress::hint_read(meant, number));
  return kPassed;
}

} // namespace

void add_hint(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "hint", "A nudge for an exercise; no points are lost by it");
  const auto options = std::make_shared<HintOptions>();
  command->footer("Examples:\n"
                  "  course hint            the next one for the exercise you are at\n"
                  "  course hint 2_pad      the next one for this exercise\n"
                  "  course hint 2_pad 3    the last of three: it says how\n");
  command->add_option("EXERCISE", options->exercise,
                      "As for course grade; the one you are at by default");
  command->add_option("N", options->number, "Which: 1 to 3; by default one more each time")
      ->check(CLI::Range(1, 3));
  command->callback([options, &exit_code] { exit_code = hint(*options); });
}

} // namespace course::cli
