// `course hint`: a nudge for an exercise, more open with each number.
#include "cli/chosen.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

struct Options {
  std::string exercise;
  std::size_t number = 1;
};

int hint(const Options& options) {
  const auto chosen = choose({options.exercise});
  if (const auto* what = std::get_if<std::string>(&chosen)) {
    fmt::print(stderr, "course hint: {}\n", *what);
    return kUsage;
  }
  const auto& exercise = *std::get<std::vector<Chosen>>(chosen).front().exercise;
  const auto width = screen(Colour::never).columns;
  fmt::print("{}", report::wrapped(exercise.hints.at(options.number - 1), width, 2));
  if (options.number < exercise.hints.size())
    fmt::print("\n  One nudge more: ./course hint {} {}\n", exercise.id, options.number + 1);
  return kPassed;
}

} // namespace

void add_hint(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("hint", "A nudge for an exercise; no points are lost by it");
  const auto options = std::make_shared<Options>();
  command->footer("Examples:\n"
                  "  course hint 2_pad      the first of three\n"
                  "  course hint 2_pad 3    the last: it says how\n");
  command->add_option("EXERCISE", options->exercise, "As for course grade")->required();
  command->add_option("N", options->number, "Which: 1 to 3")->check(CLI::Range(1, 3));
  command->callback([options, &exit_code] { exit_code = hint(*options); });
}

} // namespace course::cli
