#include "progress/hints.hpp"

#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "progress/meaning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::progress {

std::size_t next_hint(const std::vector<Standing>& all, const lab::Exercise& exercise) {
  const auto at = std::ranges::find_if(
      all, [&](const Standing& standing) { return standing.exercise->id == exercise.id; });
  const std::size_t read = at == all.end() ? 0 : at->hints_read;
  return std::min(read + 1, exercise.hints.size());
}

std::string hint(const lab::Exercise& exercise, std::size_t number,
                 const std::filesystem::path& root, const report::Terminal& terminal) {
  const auto count = exercise.hints.size();
  const bool last = number >= count;
  std::string head;
  for (const auto& line : report::lines_of(report::wrapped(
           tr("{}, hint {} of {}", exercise.id, number, count), terminal.columns, 2)))
    head += report::inked(line, report::Ink::bold, terminal) + "\n";
  const auto more =
      last && count < 3
          ? tr("That was the last hint. {} explains it from the start; beyond that, ask your "
               "instructor.",
               chapter_of(exercise, root))
      : last
          ? tr("That was the last hint. {} explains it from the start.", chapter_of(exercise, root))
          : tr("One nudge more, at no cost: {}", report::unbroken("./course hint " + exercise.id));
  return fmt::format(
      "{}\n{}\n{}", head,
      report::wrapped(language::of_course(exercise.hints.at(number - 1)), terminal.columns, 2),
      report::wrapped(more, terminal.columns, 2));
}

Event hint_read(const lab::Exercise& exercise, std::size_t number) {
  Event event;
  event.kind = Event::Kind::hint;
  event.exercise = exercise.id;
  event.hint = static_cast<unsigned>(number);
  return event;
}

} // namespace course::progress
