// `course history`: the runs of an exercise, as a chart.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "progress/chart.hpp"
#include "progress/first_answers.hpp"
#include "report/words/note_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace course::cli {
namespace {

struct HistoryOptions {
  std::string exercise;
  std::size_t most = 15;
};

// Those that were read of a solved exercise are no part of how it was solved.
std::string hints_of(const progress::Standing& standing) {
  const auto hints = standing.hints;
  return standing.hints_read > hints
             ? trn("{} hint before it was solved", "{} hints before it was solved", hints, hints)
             : trn("{} hint", "{} hints", hints, hints);
}

int history(const HistoryOptions& options) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course history", kUsage, *what);
  const auto& student = std::get<Student>(found);
  const auto meant = exercise_of(student, options.exercise);
  if (const auto* what = std::get_if<std::string>(&meant))
    return complain("course history", kUsage, *what);
  const auto& exercise = *std::get<const lab::Exercise*>(meant);
  const auto terminal = screen(Colour::automatic);
  const auto at = std::ranges::find_if(student.standings, [&](const progress::Standing& standing) {
    return standing.exercise->id == exercise.id;
  });
  if (at->runs == 0) {
    fmt::print("{}", report::wrapped(tr("{} was not graded yet. {} does.", exercise.id,
                                        report::unbroken("./course grade " + exercise.id)),
                                     terminal.columns, 2));
    return kPassed;
  }
  const auto head =
      fmt::format("  {}", tr("{}: {}, {}", exercise.id,
                             trn("{} run", "{} runs", at->runs, at->runs), hints_of(*at)));
  fmt::print("{}\n\n{}", report::inked(head, report::Ink::bold, terminal),
             progress::chart(student.events, exercise.id, terminal, options.most));
  if (const auto first = progress::first_answers(student.events, exercise.id))
    fmt::print("{}", report::wrapped(tr("Note: {}.", report::words(judge::Note(*first))),
                                     terminal.columns, 2));
  return kPassed;
}

} // namespace

void add_history(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "history", "Your runs of an exercise, as a small chart");
  const auto options = std::make_shared<HistoryOptions>();
  command->footer("Examples:\n"
                  "  course history                   the exercise you are at\n"
                  "  course history 2_pad --last 5    the last five runs of this one\n");
  command->add_option("EXERCISE", options->exercise,
                      "As for course grade; the one you are at by default");
  command->add_option("--last", options->most, "At most so many runs; 15 by default")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command->callback([options, &exit_code] { exit_code = history(*options); });
}

} // namespace course::cli
