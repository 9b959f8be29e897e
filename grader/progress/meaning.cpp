#include "progress/meaning.hpp"

#include "lab/course_texts.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "report/words/check_table.hpp"
#include "report/words/check_words.hpp"
#include "report/words/numbers.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace course::progress {
namespace {

using judge::Status;
using report::Ink;
using report::Terminal;

// What the totals of the run add to a check's own words.
std::string totals(const std::string& check, const Run& run) {
  const auto shown = judge::known(judge::check_kind(check)).shown;
  if (shown == judge::KnownCheck::Shown::conflicts && run.shared_requests > 0)
    return tr("In this run {} to shared memory took {} where {} would have done: {}.",
              report::counted(run.shared_requests, "{} request", "{} requests"),
              report::counted(run.wavefronts, "{} pass", "{} passes"), report::thousands(run.ideal),
              run.conflicts() == 0
                  ? tr("no conflicts")
                  : report::counted(run.conflicts(), "{} conflict", "{} conflicts"));
  if (shown == judge::KnownCheck::Shown::sectors && run.global_requests > 0)
    return tr("In this run {} to global memory touched {}.",
              report::counted(run.global_requests, "{} request", "{} requests"),
              report::counted(run.sectors, "{} sector", "{} sectors"));
  return "";
}

std::string reason(const lab::Exercise& exercise, const std::string& check) {
  for (const auto& graded : exercise.checks)
    if (graded.check == check) return language::of_course(graded.reason);
  return "";
}

std::string status_word(Status status) {
  return status == Status::passed   ? trc("a check", "passed")
         : status == Status::failed ? trc("a check", "not yet")
                                    : trc("a check", "not measured");
}

Ink ink(Status status) {
  return status == Status::passed ? Ink::green : status == Status::failed ? Ink::red : Ink::yellow;
}

// "conflicts, not yet: 31 per request, on line 25; limit 0"
std::string title(const Score& score, const Terminal& terminal) {
  auto line = trc("a check, and how it went", "{}, {}", report::check_name(score.check),
                  status_word(score.status));
  if (!score.observed.empty()) line = tr("{}: {}", line, score.observed);
  if (!score.limit.empty()) line = tr("{}; limit {}", line, score.limit);
  std::string text;
  for (const auto& part :
       report::lines_of(report::wrapped(report::printable(line), terminal.columns, 2)))
    text += report::inked(part, ink(score.status), terminal) + "\n";
  return text;
}

std::string in_full(const lab::Exercise& exercise, const Run& run, const Score& score,
                    const Terminal& terminal) {
  auto words = meaning(score.check);
  if (const auto more = totals(score.check, run); !more.empty())
    words = trc("two sentences", "{} {}", words, more);
  const auto why = reason(exercise, score.check);
  if (!why.empty())
    words = trc("two sentences", "{} {}", words,
                score.limit.empty() ? tr("Here: {}.", why) : tr("The limit: {}.", why));
  return title(score, terminal) + report::wrapped(words, terminal.columns, 4);
}

} // namespace

std::string meaning(const std::string& check) {
  if (const auto* about = report::about_check(check)) return language::translated(about->meaning);
  return tr("Your answers, judged together: right is what was measured, or follows from it. Passes "
            "are those of the fullest bank; conflicts are passes more than the bytes need.");
}

std::string explain(const lab::Exercise& exercise, const Run& run, const std::string& chapter,
                    const Terminal& asked) {
  Terminal terminal = asked;
  terminal.columns = std::max(terminal.columns, 40);
  std::string text;
  const auto section = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  if (!run.headline.empty())
    section(report::wrapped(report::printable(run.headline), terminal.columns, 2));
  for (const auto& score : run.scores)
    if (score.status == Status::failed) section(in_full(exercise, run, score, terminal));
  std::string passed, unmeasured;
  for (const auto& score : run.scores) {
    if (score.status == Status::passed) passed += title(score, terminal);
    if (!score.awaited.empty())
      passed += report::wrapped(report::awaited_words({report::check_name(score.check)},
                                                      report::check_name(score.awaited)),
                                terminal.columns, 4);
    if (score.status == Status::not_measured) unmeasured += title(score, terminal);
  }
  if (!passed.empty()) section(passed);
  if (!unmeasured.empty()) section(unmeasured);
  section(report::wrapped(tr("Read on in {}.", chapter), terminal.columns, 2));
  return text;
}

namespace {

namespace fs = std::filesystem;

// The names of the numbered chapters in a folder, in their order.
std::vector<std::string> chapters_in(const fs::path& folder) {
  std::error_code none;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    auto name = entry.path().filename().string();
    if (name.ends_with(".md") && name[0] >= '0' && name[0] <= '9') names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

// The chapter that sets the exercise, or else the one with the lab's number; empty: there is none.
// A lab may go on in a second chapter, so that its number alone does not tell.
std::string chapter_for(const std::string& id, const fs::path& folder) {
  const auto names = chapters_in(folder);
  for (const auto& name : names)
    if (system::content_of(folder / name).value_or("").find("{{exercise " + id + "}}") !=
        std::string::npos)
      return name;
  const auto numbered = std::ranges::find_if(
      names, [&](const auto& name) { return name.starts_with(id.substr(0, 2) + "_"); });
  return numbered == names.end() ? "" : *numbered;
}

} // namespace

std::string chapter_of(const lab::Exercise& exercise, const std::filesystem::path& root) {
  const auto chapters = root / "chapters";
  if (const auto name = chapter_for(exercise.id, chapters); !name.empty())
    for (const auto& folder : {lab::folder_of(chapters, language::spoken()), chapters})
      if (!folder.empty() && fs::exists(folder / name))
        return (folder / name).lexically_relative(root).string();
  const auto number = exercise.id.substr(0, 2);
  return tr("chapter {} of the book", number.substr(number.find_first_not_of('0')));
}

} // namespace course::progress
