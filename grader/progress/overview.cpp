#include "progress/overview.hpp"

#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "progress/terminal_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace course::progress {
namespace {

using language::marked;
using report::Ink;
using report::Terminal;

constexpr int kIndent = 2;

struct Lab {
  std::string id;
  std::vector<const Standing*> exercises;
};

std::vector<Lab> labs_of(const std::vector<Standing>& all) {
  std::vector<Lab> labs;
  for (const auto& standing : all) {
    const auto id = standing.exercise->lab();
    if (labs.empty() || labs.back().id != id) labs.push_back({id, {}});
    labs.back().exercises.push_back(&standing);
  }
  return labs;
}

// "03_dynamic_smem" -> "03 dynamic smem"
std::string spaced(std::string id) {
  std::ranges::replace(id, '_', ' ');
  return id;
}

std::string sign(const Standing& standing, const std::string& otherwise) {
  return standing.solved ? "*" : standing.begun() ? "+" : otherwise;
}

Ink ink(const Standing& standing) {
  return standing.solved ? Ink::green : standing.begun() ? Ink::yellow : Ink::plain;
}

struct Points {
  int earned = 0, of = 0;
};

Points points(const std::vector<const Standing*>& exercises) {
  Points sum;
  for (const auto* standing : exercises) {
    sum.earned += standing->points;
    sum.of += standing->max_points;
  }
  return sum;
}

// Where a map of the labs is too wide with spaces between its signs.
bool narrow(const Terminal& terminal) {
  return terminal.columns < 50;
}

// A sign for each exercise, its number where it was never tried.
std::string signs(const Lab& lab, const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < lab.exercises.size(); ++i) {
    const auto& standing = *lab.exercises[i];
    text += report::inked(sign(standing, std::to_string(i + 1)), ink(standing), terminal);
    if (!narrow(terminal)) text += " ";
  }
  return text;
}

std::string map_of(const std::vector<Lab>& labs, const Terminal& terminal) {
  std::size_t name = 0, most = 0;
  for (const auto& lab : labs) {
    name = std::max(name, lab.id.size());
    most = std::max(most, lab.exercises.size());
  }
  std::string text;
  for (const auto& lab : labs) {
    const auto sum = points(lab.exercises);
    const auto pad = (narrow(terminal) ? 1 : 2) * (most - lab.exercises.size());
    const auto earned = narrow(terminal) ? fmt::format("{:>4}/{}", sum.earned, sum.of)
                                         : tr("{:>5} of {}", sum.earned, sum.of);
    text += fmt::format("  {:<{}}  {}{:{}}{}\n", spaced(lab.id), name, signs(lab, terminal), "",
                        pad, earned);
  }
  return text;
}

std::string commands(const Terminal& terminal) {
  static constexpr std::pair<const char*, const char*> kCommands[] = {
      {"./course watch", marked("grades it each time you save it")},
      {"./course hint", marked("a nudge; it costs no points")},
      {"./course list", marked("every exercise")},
      {"./course --help", marked("everything else")}};
  std::string text;
  for (const auto& [command, meaning] : kCommands) {
    const auto what = language::translated(meaning);
    const auto line = fmt::format("    {:<17}  {}", command, what);
    text += static_cast<int>(report::columns(line)) <= terminal.columns
                ? line + "\n"
                : fmt::format("    {}\n{}", command, report::wrapped(what, terminal.columns, 6));
  }
  return text;
}

// A line that is too wide ends in dots, before which there is no space.
std::string cut(std::string line, int columns) {
  const auto room = static_cast<std::size_t>(columns);
  if (report::columns(line) <= room) return line;
  line = cropped(line, columns - 3);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "...";
}

std::string heading(const std::string& text, const Terminal& terminal) {
  std::string bold;
  for (const auto& line : report::lines_of(report::wrapped(text, terminal.columns, kIndent)))
    bold += report::inked(line, Ink::bold, terminal) + "\n";
  return bold;
}

} // namespace

std::string next_step(const Standing* next, const Terminal& terminal) {
  if (!next)
    return report::wrapped(tr("Every exercise is solved. {} shows where points are left.",
                              report::unbroken("./course list")),
                           terminal.columns, kIndent);
  const auto& exercise = *next->exercise;
  const bool begun = next->begun();
  const auto title = language::of_course(exercise.title);
  auto text = heading(begun ? tr("You are at: {}, {}", exercise.id, title)
                            : tr("Next: {}, {}", exercise.id, title),
                      terminal);
  const auto grade = report::unbroken("./course grade " + exercise.id);
  return text +
         report::wrapped(
             begun && next->runs == 0
                 ? tr("You have changed labs/{}.cu and not graded it yet: {}", exercise.id, grade)
                 : tr("Open labs/{}.cu in your editor; it says what is wanted.", exercise.id),
             terminal.columns, kIndent);
}

std::string overview(const std::vector<Standing>& all, const Terminal& asked) {
  Terminal terminal = asked;
  terminal.columns = std::max(terminal.columns, 40);
  const auto labs = labs_of(all);
  std::vector<const Standing*> everything;
  bool begun = false;
  for (const auto& standing : all) {
    everything.push_back(&standing);
    begun |= standing.begun();
  }
  const auto sum = points(everything);
  const auto solved = std::ranges::count_if(all, &Standing::solved);
  auto text = heading(tr("CUDA shared memory, a course you compile"), terminal);
  if (begun) {
    text += report::wrapped(
        tr("{} of {} exercises solved, {} of {} points.", solved, all.size(), sum.earned, sum.of),
        terminal.columns, kIndent);
  } else {
    text +=
        report::wrapped(tr("Each exercise is one file under labs/. It compiles, but is not solved "
                           "yet: you change it, and the grader says what is not right, and "
                           "where. No GPU is needed."),
                        terminal.columns, kIndent);
  }
  text.append("\n").append(map_of(labs, terminal));
  if (begun) { // before that there are numbers alone
    const auto legend = terminal.columns < 44 ? tr("* solved   + begun")
                                              : tr("* solved   + begun   1 2 3  not solved yet");
    text.append("  ").append(legend).append("\n");
  }
  text.append("\n").append(next_step(current(all), terminal));
  return text + commands(terminal);
}

std::string list(const std::vector<Standing>& all, const std::string& only, const Terminal& asked) {
  Terminal terminal = asked;
  terminal.columns = std::max(terminal.columns, 40);
  std::size_t id = 0;
  for (const auto& standing : all) id = std::max(id, standing.exercise->id.size());
  std::string text;
  for (const auto& standing : all) {
    const auto& exercise = *standing.exercise;
    if (!exercise.id.starts_with(only)) continue;
    const auto start = fmt::format("{} {:<{}}", sign(standing, "."), exercise.id, id);
    const auto number = tr("{:>3} of {:<3}", standing.points, standing.max_points);
    const auto hints = standing.hints == 0
                           ? std::string()
                           : " " + trn("({} hint)", "({} hints)", standing.hints, standing.hints);
    const bool waits = standing.edited && standing.runs == 0;
    const auto full =
        fmt::format("{}  {}  {}{}{}", start, number, waits ? tr("(changed, not graded) ") : "",
                    language::of_course(exercise.title), hints);
    text += report::inked(cut(full, terminal.columns), ink(standing), terminal) + "\n";
  }
  if (text.empty()) return text;
  return text + "\n" + tr("* solved   + begun   . not solved yet") + "\n";
}

} // namespace course::progress
