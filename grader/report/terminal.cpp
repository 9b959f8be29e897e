#include "report/terminal.hpp"

#include "judge/counts.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "report/focus.hpp"
#include "report/questions.hpp"
#include "report/sentence.hpp"
#include "report/words/by_form.hpp"
#include "report/words/check_table.hpp"
#include "report/words/check_words.hpp"
#include "report/words/count_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/note_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace course::report {
namespace {

using judge::Ending;
using judge::Status;

constexpr int kIndent = 2;
constexpr int kLeastNameWidth = 13, kStatusWidth = 9, kObservedWidth = 40;
constexpr std::size_t kPrintedLines = 12; // of what the student's program printed

std::string said(judge::Means::Note note) {
  using Note = judge::Means::Note;
  switch (note) {
  case Note::none:
    break;
  case Note::no_gpu:
    return trc("device note", "no GPU found");
  case Note::old_gpu:
    return trc("device note", "the GPU here is older than CUDA 13 compiles for");
  case Note::not_on_gpu:
    return trc("device note", "the GPU here cannot execute this");
  case Note::memory_emulated:
    return trc("device note", "memory by the emulated device");
  case Note::counts_by_gpu:
    return trc("device note", "counts by CUPTI, memory by the emulated device");
  case Note::all_emulated:
    return trc("device note", "counts and memory by the emulated device");
  case Note::other_rules:
    return trc("device note", "counts and memory are those of an emulated H200");
  }
  return "";
}

std::string header(const judge::Verdict& verdict, const Terminal& terminal) {
  auto device = language::translated("device", verdict.means.device.c_str());
  if (const auto note = said(verdict.means.note); !note.empty() && terminal.alone)
    device = tr("{} ({})", device, note);
  const auto title = printable(verdict.exercise);
  const auto gap = terminal.columns - static_cast<int>(columns(title) + columns(device));
  const auto name = inked(title, Ink::bold, terminal);
  if (gap >= 2) return name + std::string(gap, ' ') + inked(device, Ink::faint, terminal) + "\n";
  return name + "\n" + wrapped(device, terminal.columns, 0);
}

// ---- a line for each check

std::string status_text(Status status) {
  return status == Status::passed   ? trc("a check", "passed")
         : status == Status::failed ? trc("a check", "FAILED")
                                    : trc("a check", "not measured");
}

Ink status_ink(Status status) {
  return status == Status::passed ? Ink::green : status == Status::failed ? Ink::red : Ink::yellow;
}

// What was tried goes before what was found where everything was tried.
std::string observed_text(const judge::Verdict& verdict, const judge::Check& check) {
  if (check.kind() == judge::CheckKind::output && check.status == Status::passed)
    return tr("{}, {}, {}", counted(verdict.shapes, "{} shape", "{} shapes"),
              counted(verdict.seeds, "{} kind of input", "{} kinds of input"),
              words(check).observed());
  return printable(words(check).observed());
}

// Columns of the checks' names, and of a gap after them.
int name_width(const judge::Verdict& verdict) {
  int width = kLeastNameWidth;
  for (const auto& check : verdict.checks)
    width = std::max(width, static_cast<int>(columns(check_name(check.name))) + 2);
  return width;
}

std::string check_line(const judge::Verdict& verdict, const judge::Check& check,
                       const Terminal& terminal) {
  const int width = name_width(verdict);
  const auto name = std::string(kIndent, ' ') + padded(check_name(check.name), width);
  const auto status = inked(status_text(check.status), status_ink(check.status), terminal);
  const auto observed = observed_text(verdict, check);
  if (check.status == Status::not_measured) {
    const auto plain = name + tr("{}: {}", status_text(check.status), observed);
    if (static_cast<int>(columns(plain)) <= terminal.columns)
      return name + tr("{}: {}", status, observed) + "\n";
    return name + status + "\n" + wrapped(observed, terminal.columns, kIndent + 2);
  }
  const auto pad = padded(
      "", kStatusWidth - std::min<std::size_t>(kStatusWidth, columns(status_text(check.status))));
  const auto bound = words(check).limit;
  const auto limit = bound.empty() ? "" : tr("limit {}", bound);
  const auto start = kIndent + width + kStatusWidth;
  const auto in_columns =
      limit.empty() ? observed : padded(observed, kObservedWidth) + "  " + limit;
  if (start + static_cast<int>(columns(in_columns)) <= terminal.columns)
    return name + status + pad + in_columns + "\n";
  const auto joined = limit.empty() ? observed : tr("{}; {}", observed, limit);
  return name + status + "\n" + wrapped(joined, terminal.columns, kIndent + 2);
}

// Of checks that passed and earned nothing: "Points of memory and coalescing count once output
// passes."
std::string awaited_lines(const judge::Verdict& verdict, const Terminal& terminal) {
  std::vector<std::pair<std::string, std::vector<std::string>>> waiting; // by what they wait for
  for (const auto& check : verdict.checks) {
    const auto* first = judge::awaited(verdict, check);
    if (!first || (!check.possible && !terminal.alone)) continue;
    const auto name = check_name(first->name);
    auto at = std::ranges::find(waiting, name, &decltype(waiting)::value_type::first);
    if (at == waiting.end()) at = waiting.insert(at, {name, {}});
    at->second.push_back(check_name(check.name));
  }
  std::string text;
  for (const auto& [first, checks] : waiting)
    text += wrapped(awaited_words(checks, first), terminal.columns, kIndent);
  return text;
}

// Steps worth no points are shown when they failed; checks that could not be made because of that
// are not: the step says it all. Briefly, the checks that passed share a line.
std::string check_lines(const judge::Verdict& verdict, const Terminal& terminal, bool briefly) {
  const bool any = std::any_of(verdict.checks.begin(), verdict.checks.end(), [](const auto& check) {
    return check.max_points > 0 && check.status != Status::not_measured;
  });
  std::string text;
  std::vector<std::string> passed;
  for (const auto& check : verdict.checks) {
    if (!check.possible && !terminal.alone) continue;
    const bool step = check.max_points == 0;
    if (step ? check.status != Status::failed : !any) continue;
    if (briefly && check.status == Status::passed) {
      passed.push_back(check_name(check.name));
    } else {
      text += check_line(verdict, check, terminal);
    }
  }
  if (!passed.empty()) text += wrapped(tr("passed: {}", listed(passed)), terminal.columns, kIndent);
  return text + awaited_lines(verdict, terminal);
}

// ---- the rest

std::string paragraphs(const judge::Verdict& verdict, const Terminal& terminal) {
  std::string text;
  const auto words = ended_words(verdict);
  for (const auto& sentence : {words.headline, words.advice}) {
    if (sentence.empty()) continue;
    if (!text.empty()) text += '\n';
    text += wrapped(printable(sentence), terminal.columns, kIndent);
  }
  return text;
}

std::string notes(const judge::Verdict& verdict, const Terminal& terminal) {
  std::string text;
  const auto is_open = [](const judge::Check& check) {
    return std::holds_alternative<judge::facts::NotKnown>(check.facts);
  };
  for (const auto& note :
       notes_on_counts(verdict.lines, std::ranges::any_of(verdict.checks, is_open)))
    text += wrapped(note, terminal.columns, kIndent);
  for (const auto& finding : verdict.findings)
    if (device::is_note(finding.kind))
      text +=
          wrapped(printable(tr("Note: on line {}, thread ({}, {}, {}) of block ({}, "
                               "{}, {}) {}. {}",
                               finding.line, finding.thread.x, finding.thread.y, finding.thread.z,
                               finding.block.x, finding.block.y, finding.block.z,
                               in_words(finding.message), ask_about_finding(finding))),
                  terminal.columns, kIndent);
  for (const auto& note : report::notes(verdict))
    text += wrapped(tr("Note: {}.", printable(note)), terminal.columns, kIndent);
  return text;
}

// What others took on an H200, where this machine has no GPU.
std::string times_of_others(const judge::Verdict& verdict, const Terminal& terminal) {
  const auto* time = judge::find(verdict.checks, judge::CheckKind::time);
  if (!time || !terminal.alone || !std::holds_alternative<judge::facts::Untimed>(time->facts))
    return "";
  auto text = words(*time).message;
  if (language::english()) text.front() = 'F';
  return wrapped(printable(ended(text)), terminal.columns, kIndent);
}

std::string in_the_course_s_words(const std::string& english, const Terminal& terminal) {
  if (english.empty()) return "";
  return wrapped(printable(language::of_course(english)), terminal.columns, kIndent);
}

std::string printed(const judge::Verdict& verdict, const Terminal& terminal) {
  const auto lines = lines_of(printable(verdict.printed));
  if (lines.empty()) return "";
  std::string text = "  " + tr("It printed:") + "\n";
  for (std::size_t i = 0; i < std::min(kPrintedLines, lines.size()); ++i)
    text += lines[i].empty() ? "\n" : wrapped(lines[i], terminal.columns, 4);
  if (lines.size() > kPrintedLines)
    text += "    " +
            trn("... and {} more line", "... and {} more lines", lines.size() - kPrintedLines,
                lines.size() - kPrintedLines) +
            "\n";
  return text;
}

std::string closing(const judge::Verdict& verdict, const Terminal& terminal) {
  std::string points = tr("{} of {} points", verdict.points, verdict.max_points);
  int beyond = 0;
  std::vector<std::string> needs;
  for (const auto& check : verdict.checks) {
    if (check.possible || !terminal.alone) continue;
    beyond += check.max_points;
    needs.push_back(check_name(check.name) + " " + words(check).observed());
  }
  if (beyond > 0 && verdict.ending == Ending::passed)
    points = tr("{} ({} more: {})", points, beyond, fmt::join(needs, "; "));
  const auto outcome = outcome_words(verdict, points);
  if (verdict.ending == Ending::passed || !judge::is_graded(verdict.ending))
    return wrapped(outcome, terminal.columns, kIndent);
  const auto state = "  " + outcome;
  const auto next = "./course hint " + printable(verdict.exercise);
  const bool one_line = static_cast<int>(columns(state) + 2 + columns(next)) <= terminal.columns;
  if (one_line) return fmt::format("{}  {}\n", state, next);
  return wrapped(outcome, terminal.columns, kIndent) + wrapped(next, terminal.columns, kIndent);
}

std::string repeat(const judge::Verdict& verdict, const Terminal& terminal) {
  if (!judge::is_graded(verdict.ending) || verdict.lines.empty() || !terminal.alone) return "";
  const auto command = tr("The same inputs again: {}",
                          unbroken(fmt::format("./course grade {} --seed {}",
                                               printable(verdict.exercise), verdict.seed)));
  auto text = wrapped(command, terminal.columns, kIndent);
  if (!terminal.colour) return text;
  std::string inks;
  for (const auto& line : lines_of(text)) inks += inked(line, Ink::faint, terminal) + "\n";
  return inks;
}

// All between the header and the closing, a blank line between its sections.
std::string body(const judge::Verdict& verdict, std::string_view source, const Terminal& screen,
                 bool briefly) {
  std::string text;
  const auto section = [&](const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += '\n';
    text += part;
  };
  if (!verdict.ended) {
    section(check_lines(verdict, screen, briefly));
    section(focus(verdict, source, screen));
  } else { // it did not come to checks: a sentence says why
    section(printable(compiler_in_words(verdict.compiler)));
    section(paragraphs(verdict, screen));
  }
  section(printed(verdict, screen));
  section(notes(verdict, screen));
  section(times_of_others(verdict, screen));
  section(in_the_course_s_words(verdict.does_not_pay, screen));
  section(in_the_course_s_words(verdict.explanation, screen));
  return text;
}

Terminal usable(Terminal terminal) {
  terminal.columns = std::max(terminal.columns, 40);
  return terminal;
}

} // namespace

std::string terminal(const judge::Verdict& verdict, std::string_view source,
                     const Terminal& asked) {
  const auto screen = usable(asked);
  const auto middle = body(verdict, source, screen, false);
  return fmt::format("{}{}{}\n{}{}", header(verdict, screen), middle.empty() ? "" : "\n", middle,
                     closing(verdict, screen), repeat(verdict, screen));
}

std::string terminal_body(const judge::Verdict& verdict, std::string_view source,
                          const Terminal& asked, std::size_t rows) {
  const auto screen = usable(asked);
  auto text = body(verdict, source, screen, false);
  return lines_of(text).size() <= rows ? text : body(verdict, source, screen, true);
}

} // namespace course::report
