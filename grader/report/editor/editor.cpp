#include "report/editor/editor.hpp"

#include "judge/counts.hpp"
#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/editor/lines_in_words.hpp"
#include "report/editor/source_columns.hpp"
#include "report/faults.hpp"
#include "report/focus.hpp"
#include "report/launches/launch_faults.hpp"
#include "report/launches/summary.hpp"
#include "report/questions.hpp"
#include "report/sentence.hpp"
#include "report/words/by_form.hpp"
#include "report/words/check_table.hpp"
#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/message_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace course::report {
namespace {

using judge::Status;

constexpr Terminal kPageScreen{kPageColumns, false};
using RowsByLine = std::map<std::uint32_t, LineRows>;

bool same_file(const std::string& one, const std::string& other) {
  return std::filesystem::path(one).filename() == std::filesystem::path(other).filename();
}

// Marks and pages of one file, as they are found.
class Sheet {
public:
  Sheet(std::string path, std::string_view source) : source_(source), lines_(source) {
    file_.path = std::move(path);
  }

  const SourceLines& lines() const { return lines_; }

  // The part of the line that the row is about is marked, where it can be told; else all of it.
  EditorMark& mark(std::uint32_t line, MarkLevel level, std::string rule, std::string_view message,
                   const device::LineCounts* row = nullptr) {
    line = std::clamp(line, 1u, std::max(lines_.count(), 1u));
    const auto under = row ? underline(source_, line, row->kind.use(), row->array) : std::nullopt;
    const auto columns = lines_.underlined(line, under);
    file_.marks.push_back({line, columns.from, columns.to, level, std::move(rule),
                           printable(ended(std::string(message))), 0, ""});
    return file_.marks.back();
  }

  void add_page(std::uint32_t line, const std::string& text) {
    if (text.empty()) return;
    auto& page = pages_[std::clamp(line, 1u, std::max(lines_.count(), 1u))];
    page += (page.empty() ? "" : "\n") + text;
  }

  void add_words(const RowsByLine& rows) {
    for (const auto& [line, of_line] : rows) {
      auto text = in_few_words(of_line);
      if (line == 0 || line > lines_.count() || text.empty()) continue;
      file_.words.push_back({line, lines_.end_of(line), std::move(text), in_sentences(of_line)});
    }
  }

  EditorFile take() {
    for (auto& [line, text] : pages_) file_.pages.push_back({line, std::move(text)});
    // Some editors show one mark of a line in words, the last.
    std::ranges::stable_sort(file_.marks, {}, [](const EditorMark& mark) {
      return std::pair{mark.line, -static_cast<int>(mark.level)};
    });
    return std::move(file_);
  }

private:
  EditorFile file_;
  std::string_view source_;
  SourceLines lines_;
  std::map<std::uint32_t, std::string> pages_;
};

void add_compiler(Sheet& sheet, std::string_view words, const std::string& file,
                  const std::string& ending) {
  GradedExercise graded;
  graded.verdict = ending;
  for (const auto& line : lines_of(words)) // of headers the line would be another file's
    if (same_file(line.substr(0, line.find_first_of("(:")), file)) graded.compiler += line + "\n";
  for (const auto& fault : faults(graded))
    if (judge::check_kind(fault.rule) == judge::CheckKind::compile)
      sheet.mark(fault.line, fault.serious ? MarkLevel::error : MarkLevel::warning, "compile",
                 fault.message);
}

std::string in_first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// ---- a verdict

MarkLevel level_of(const judge::Check& check) {
  const bool costs = judge::known(check.kind()).part == judge::KnownCheck::Part::cost;
  return costs ? MarkLevel::warning : MarkLevel::error;
}

// "conflicts: 31 per request, limit 0. 1,024 requests took 32,768 passes; 1,024 would do"
std::string message_of(const judge::Check& check) {
  const auto said = words(check);
  const auto what = said.limit.empty() ? said.what : tr("{}, limit {}", said.what, said.limit);
  const auto name = check_name(check.name);
  return said.message.empty() ? tr("{}: {}", name, what)
                              : tr("{}: {}. {}", name, what, said.message);
}

// What has no line of its own is about the kernel, and stands where that begins.
std::uint32_t line_of(const judge::Verdict& verdict, const judge::Check& check,
                      const SourceLines& lines) {
  if (check.place.line != 0 && same_file(check.place.file, verdict.file)) return check.place.line;
  for (const auto& launch : verdict.launches)
    if (const auto line = lines.first_with(launch.kernel); line != 0) return line;
  return 1;
}

void mark_finding(Sheet& sheet, const device::Finding& finding) {
  const auto level = device::is_note(finding.kind) ? MarkLevel::note : MarkLevel::error;
  auto& mark = sheet.mark(finding.line, level, device::name(finding.kind),
                          ended(in_words(finding.message)) + called_from(finding));
  if (finding.other_line == 0 || finding.other_line == finding.line) return;
  mark.other_line = finding.other_line;
  mark.other_message = tr("the other access");
}

std::string about_finding(const device::Finding& finding) {
  const auto& block = finding.block;
  const auto& thread = finding.thread;
  return wrapped(printable(tr("Block ({}, {}, {}), thread ({}, {}, {}): {}{}", block.x, block.y,
                              block.z, thread.x, thread.y, thread.z,
                              ended(in_words(finding.message)), called_from(finding))),
                 kPageColumns, 0) +
         "\n" + wrapped(ask_about_finding(finding), kPageColumns, 0);
}

bool is_told_by(const judge::Check& check, const device::Finding& finding) {
  const auto* found = std::get_if<judge::facts::Found>(&check.facts);
  return found && found->finding.kind == finding.kind && found->finding.line == finding.line;
}

void add_checks(Sheet& sheet, const judge::Verdict& verdict, std::string_view source) {
  for (const auto& check : verdict.checks) {
    if (check.status != Status::failed || check.kind() == judge::CheckKind::compile) continue;
    const auto line = line_of(verdict, check, sheet.lines());
    sheet.add_page(line, about(verdict, check, source, kPageScreen));
    const bool told = std::ranges::any_of(verdict.findings, [&](const device::Finding& finding) {
      return is_told_by(check, finding);
    });
    if (told) continue; // marked as what it is, with its other place
    sheet.mark(line, level_of(check), check.name, message_of(check),
               check.row ? &*check.row : nullptr);
  }
}

void add_findings(Sheet& sheet, const judge::Verdict& verdict) {
  for (const auto& finding : verdict.findings) {
    if (finding.line == 0 || !same_file(finding.file, verdict.file)) continue;
    mark_finding(sheet, finding);
    if (std::ranges::none_of(verdict.checks, [&](const judge::Check& check) {
          return check.status == Status::failed && is_told_by(check, finding);
        }))
      sheet.add_page(finding.line, about_finding(finding));
  }
}

RowsByLine rows_of(const std::vector<device::LineCounts>& all, const std::string& file) {
  RowsByLine rows;
  for (const auto& row : all)
    if (row.line != 0 && same_file(row.file, file)) rows[row.line].push_back(&row);
  return rows;
}

// Pictures of what no failed check has drawn already.
void add_pictures(Sheet& sheet, const judge::Verdict& verdict, const RowsByLine& rows) {
  for (const auto& [line, of_line] : rows) {
    LineRows left;
    for (const auto* row : of_line)
      if (std::ranges::none_of(verdict.checks, [&](const judge::Check& check) {
            return check.status == Status::failed && check.row && check.row->line == row->line &&
                   check.row->kind == row->kind;
          }))
        left.push_back(row);
    sheet.add_page(line, drawn(left));
  }
}

// ---- a program that was run

std::string words_of(const CallError& error) {
  return error.why.empty() ? tr("{} returned {}", error.call, error.error)
                           : tr("{} returned {}: {}", error.call, error.error, in_words(error.why));
}

bool is_about_sectors(const Fault& fault) {
  return fault.rule == "wasted-sectors";
}

// The row that the fault's number comes from most, to underline what it is about.
const device::LineCounts* telling_row(const LineRows& rows, const Fault& fault) {
  if (fault.serious) return nullptr;
  const auto weight = [&](const device::LineCounts* row) {
    return is_about_sectors(fault) ? row->sectors : row->conflicts();
  };
  const auto most = std::ranges::max_element(rows, {}, weight);
  return most == rows.end() || weight(*most) == 0 ? nullptr : *most;
}

void add_fault(Sheet& sheet, const Fault& fault, const RowsByLine& rows) {
  const auto at = rows.find(fault.line);
  const auto* row = at == rows.end() ? nullptr : telling_row(at->second, fault);
  const auto level = fault.serious                ? MarkLevel::error
                     : fault.rule == "same-value" ? MarkLevel::note
                                                  : MarkLevel::warning;
  auto& mark = sheet.mark(fault.line, level, fault.rule, fault.message, row);
  mark.other_line = fault.other_line;
  if (fault.other_line != 0) mark.other_message = tr("the other access");
}

EditorFile file_of_launches(const LaunchReport& report, const std::vector<Fault>& faults,
                            const std::vector<device::LineCounts>& all, const SourceText& source) {
  Sheet sheet(source.path, source.text);
  RowsByLine rows;
  for (const auto& row : all)
    if (row.line != 0 && row.file == source.path) rows[row.line].push_back(&row);
  for (const auto& fault : faults)
    if (fault.path == source.path) add_fault(sheet, fault, rows);
  for (const auto& finding : report.findings)
    if (finding.file == source.path && finding.line != 0 && !is_where_it_stopped(finding))
      sheet.add_page(finding.line, about_finding(finding));
  sheet.add_words(rows);
  for (const auto& [line, of_line] : rows) sheet.add_page(line, drawn(of_line));
  return sheet.take();
}

std::string in_one_line(const EndedWords& words) {
  return words.headline + (words.advice.empty() ? "" : " ") + words.advice;
}

} // namespace

EditorView editor_view(const judge::Verdict& verdict, std::string_view source) {
  EditorView view;
  view.summary = outcome_words(verdict, tr("{} of {} points", verdict.points, verdict.max_points));
  if (verdict.ending == judge::Ending::set_up) {
    view.trouble = printable(in_one_line(ended_words(verdict)));
    return view;
  }
  Sheet sheet("", source);
  add_compiler(sheet, verdict.compiler, verdict.file, judge::name(verdict.ending));
  add_checks(sheet, verdict, source);
  add_findings(sheet, verdict);
  const auto rows = rows_of(verdict.lines, verdict.file);
  sheet.add_words(rows);
  add_pictures(sheet, verdict, rows);
  view.files.push_back(sheet.take());
  const auto& marks = view.files.front().marks;
  const bool said = std::ranges::any_of(
      marks, [](const EditorMark& mark) { return mark.level == MarkLevel::error; });
  if (verdict.ended && !said) {
    Sheet whole("", source);
    whole.mark(1, MarkLevel::error, judge::name(verdict.ending), in_one_line(ended_words(verdict)));
    view.files.front().marks.insert(marks.begin(), whole.take().marks.front());
  }
  return view;
}

EditorView editor_view(const LaunchReport& report, const std::vector<SourceText>& sources) {
  EditorView view;
  for (const auto& line : summary_of(report))
    view.summary += (view.summary.empty() ? "" : " ") + line;
  if (!report.stopped_by.empty())
    view.summary = tr("Not complete: {} stopped it. {}", report.stopped_by, view.summary);
  auto faults = launch_faults(report, "");
  std::erase_if(faults, [](const Fault& fault) { return fault.line == 0; });
  std::vector<device::LineCounts> all;
  for (const auto& launch : report.launches)
    all.insert(all.end(), launch.lines.begin(), launch.lines.end());
  all = judge::merge(all);
  for (const auto& source : sources)
    view.files.push_back(file_of_launches(report, faults, all, source));
  if (sources.empty()) return view;
  Sheet whole("", sources.front().text);
  for (const auto& error : report.errors)
    whole.mark(1, MarkLevel::warning, "cuda-error", words_of(error));
  for (const auto& call : report.unsupported)
    whole.mark(1, MarkLevel::warning, "not-supported",
               tr("{} is not executed here", call_in_words(call)));
  auto marks = whole.take().marks;
  auto& first = view.files.front().marks;
  first.insert(first.begin(), marks.begin(), marks.end());
  return view;
}

EditorView editor_view_of_compiler(std::string_view words, const SourceText& source) {
  EditorView view;
  Sheet sheet(source.path, source.text);
  add_compiler(sheet, words, source.path, "did_not_compile");
  view.summary = tr("nvcc did not compile it.");
  view.files.push_back(sheet.take());
  if (!view.files.front().marks.empty()) return view;
  Sheet whole(source.path, source.text);
  whole.mark(1, MarkLevel::error, "compile",
             tr("nvcc did not compile it: {}", in_first_line(std::string(words))));
  view.files.front() = whole.take();
  return view;
}

} // namespace course::report
