#include "progress/chart.hpp"

#include "language/translate.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::progress {
namespace {

using language::padded;
using language::right;
using report::Terminal;

// One number of a run: a quotient, or nothing where it was not measured.
struct Quotient {
  std::uint64_t numerator = 0, denominator = 0;

  double value() const {
    return denominator == 0 ? 0 : static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  std::string text() const {
    if (denominator == 0) return "-";
    // Halved until report::ratio takes it: a chart shows no more than a digit or two.
    auto n = numerator, d = denominator;
    while (d >> 40) {
      n /= 2;
      d /= 2;
    }
    return report::ratio(n, d);
  }
};

struct Column {
  std::string name, legend;
  Quotient (*of)(const Run&);
  double largest = 0;
  bool any = false; // measured in a run
};

std::vector<Column> columns_of(const std::vector<const Event*>& runs) {
  std::vector<Column> all = {
      {trc("a chart", "conflicts"), tr("conflicts: extra passes per request that has any"),
       [](const Run& run) {
         const auto shown = run.shown_conflicts();
         return Quotient{shown.conflicts, shown.requests};
       }},
      {trc("a chart", "sectors"), tr("sectors per global request"),
       [](const Run& run) {
         return Quotient{run.sectors, run.global_requests};
       }},
      {trc("a chart", "time"), tr("time: 1 is the solution's"), [](const Run& run) {
         return run.time_permille ? Quotient{*run.time_permille, 1000} : Quotient{};
       }}};
  for (auto& column : all) {
    for (const auto* event : runs) {
      const auto quotient = column.of(event->run);
      column.any |= quotient.denominator > 0;
      column.largest = std::max(column.largest, quotient.value());
    }
  }
  std::erase_if(all, [](const Column& column) { return !column.any; });
  return all;
}

// "2026-11-21T07:05:13Z" -> "11-21 07:05"
std::string short_time(const std::string& time) {
  return time.size() < 16 ? time : time.substr(5, 5) + " " + time.substr(11, 5);
}

std::string ending(const Run& run) {
  switch (run.ending) {
  case judge::Ending::passed:
    return trc("a run", "solved");
  case judge::Ending::failed:
    return trc("a run", "not yet");
  case judge::Ending::did_not_compile:
    return trc("a run", "no compile");
  case judge::Ending::crashed:
    return trc("a run", "crashed");
  case judge::Ending::timed_out:
    return trc("a run", "timed out");
  default:
    return trc("a run", "not graded");
  }
}

constexpr int kNumber = 9; // columns of a number, with room for its name
constexpr int kLongestBar = 16;

constexpr int kStart = 34;       // when, points, how it ended
constexpr int kNarrowStart = 22; // when, points

// What is left for each bar.
int bar_room(const Terminal& terminal, int start, std::size_t columns) {
  if (columns == 0) return 0;
  const int left = terminal.columns - start - static_cast<int>(columns) * (kNumber + 3);
  const int room = std::min(left / static_cast<int>(columns), kLongestBar);
  return room < 3 ? 0 : room;
}

std::string bar(const Quotient& quotient, double largest, int room) {
  if (largest == 0 || quotient.value() == 0) return "";
  const auto length = static_cast<int>(quotient.value() / largest * room + 0.5);
  return std::string(std::max(length, 1), '#');
}

} // namespace

std::string chart(const std::vector<Event>& events, const std::string& exercise,
                  const Terminal& asked, std::size_t most) {
  Terminal terminal = asked;
  terminal.columns = std::max(terminal.columns, 40);
  std::vector<const Event*> runs;
  for (const auto& event : events)
    if (event.kind == Event::Kind::run && event.exercise == exercise) runs.push_back(&event);
  const auto total = runs.size();
  if (total > most) runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(most));
  auto columns = columns_of(runs);
  const bool wide = terminal.columns >= kStart + static_cast<int>(columns.size()) * (kNumber + 3);
  if (!wide && columns.size() > 1) columns.resize(1);
  const auto room = bar_room(terminal, wide ? kStart : kNarrowStart, columns.size());

  const auto trimmed = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  auto head =
      "  " + padded(trc("a chart", "when (UTC)"), 11) + "  " + right(trc("a chart", "points"), 7);
  if (wide) head += fmt::format("  {:<10}", "");
  for (const auto& column : columns)
    head += "  " + right(column.name, kNumber) + " " + padded("", static_cast<std::size_t>(room));
  auto text = trimmed(head);
  for (const auto* event : runs) {
    const auto& run = event->run;
    auto line = fmt::format("  {:<11}  {:>7}", short_time(event->time),
                            fmt::format("{}/{}", run.points, run.max_points));
    if (wide) line += "  " + padded(ending(run), 10);
    for (const auto& column : columns) {
      const auto quotient = column.of(run);
      line += fmt::format("  {:>{}} {:<{}}", quotient.text(), kNumber,
                          bar(quotient, column.largest, room), room);
    }
    text += trimmed(line);
  }
  std::string legend;
  for (const auto& column : columns) {
    legend = legend.empty() ? column.legend : tr("{}; {}", legend, column.legend);
  }
  if (!legend.empty()) text.append("\n").append(report::wrapped(legend, terminal.columns, 2));
  if (total > most)
    text += report::wrapped(tr("The last {} of {} runs.", most, total), terminal.columns, 2);
  return text;
}

} // namespace course::progress
