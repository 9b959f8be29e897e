#include "report/focus.hpp"

#include "device/model/request_type.hpp"
#include "device/model/sectors.hpp"
#include "judge/counts.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/picture/lane_picture.hpp"
#include "report/questions.hpp"
#include "report/quote.hpp"
#include "report/sampled_request.hpp"
#include "report/sector_rows.hpp"
#include "report/sentence.hpp"
#include "report/words/check_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace course::report {
namespace {

using judge::CheckKind;

constexpr int kMargin = 2;
constexpr int kPictureIndent = 8;

// Parts of a section that are there, with a blank line between them.
std::string sections(std::initializer_list<std::string> parts) {
  std::string text;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

std::string paragraph(const std::string& text, const Terminal& terminal) {
  return text.empty() ? "" : wrapped(printable(text), terminal.columns, kMargin);
}

// A sentence may begin with a name of the student's, "turn_tiles()": that stays as it is.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  const bool name = text.substr(0, text.find(' ')).find_first_of("_()[]`:.") != text.npos;
  if (!name && language::english())
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return ended(text);
}

// The check's message as a sentence, with the shape it is about where the message does not say it.
std::string in_this_shape(const judge::Check& check) {
  const auto said = words(check);
  if (said.message.empty() || check.shape.empty() || said.says_shape) return sentence(said.message);
  return ended(tr("For {}, {}", in_words(check.shape), said.message));
}

// "2_pad.cu:29   what is the matter", bold where it fits a line.
std::string heading(const std::string& where, const std::string& matter, const Terminal& terminal) {
  const auto line = fmt::format("  {}   {}", printable(where), printable(matter));
  if (static_cast<int>(columns(line)) <= terminal.columns)
    return inked(line, Ink::bold, terminal) + "\n";
  return wrapped(printable(where), terminal.columns, kMargin) +
         wrapped(printable(matter), terminal.columns, kMargin + 2);
}

std::string spot(const judge::Verdict& verdict, const judge::Place& place) {
  const auto& file = place.file.empty() ? verdict.file : place.file;
  return place.line ? fmt::format("{}:{}", file, place.line) : file;
}

// The student's own line; a line of another file (a header) cannot be quoted.
std::string source_line(const judge::Verdict& verdict, const judge::Place& place,
                        std::string_view source, const device::LineCounts* row,
                        const Terminal& terminal) {
  if (place.line == 0 || place.file != verdict.file) return "";
  const auto under =
      row ? underline(source, place.line, row->kind.use(), row->array) : std::nullopt;
  return quote(source, place.line, under, terminal);
}

// The row of counts at a place that weighs most.
template <class Weight>
const device::LineCounts* row_at(const judge::Verdict& verdict, const judge::Place& place,
                                 Weight weight) {
  const device::LineCounts* most = nullptr;
  for (const auto& row : verdict.lines) {
    if (row.line != place.line || row.file != place.file || weight(row) == 0) continue;
    if (!most || weight(row) > weight(*most)) most = &row;
  }
  return most;
}

bool fits(const std::string& picture, const Terminal& terminal) {
  const auto lines = lines_of(picture);
  return std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return static_cast<int>(columns(line)) <= terminal.columns;
  });
}

// Pictures have a least width. One that is wider than the terminal is worse than none.
std::string picture_of(const device::LineCounts& row, const Terminal& terminal) {
  const auto request = request_of(row.kind, row.worst);
  PictureOptions options;
  options.columns = terminal.columns;
  options.indent = kPictureIndent;
  options.lanes = lanes_in_conflict(row);
  if (!fits(lane_rows(request, Fit::shorten, options), terminal)) return "";
  options.colour = terminal.colour;
  return lane_rows(request, Fit::shorten, options);
}

std::string sectors_of(const device::LineCounts& row, const Terminal& terminal) {
  const auto picture = sector_rows(row.worst, terminal, kPictureIndent);
  return fits(picture, terminal) ? picture : "";
}

// What is asked of a line, unless it is one of a header: a library's, mostly, whose lines nobody
// who calls it can change. Empty where it is the file's own.
std::string of_header(const judge::Verdict& verdict, const judge::Check& check) {
  if (check.place.line == 0 || check.place.file.empty() || check.place.file == verdict.file)
    return "";
  return tr("That line is not in your file: it is in {}, a header that it includes. What a library "
            "does for you counts as your own, and here it does more than the task allows. Which "
            "call leads there, and what would do the same within the limit?",
            check.place.file);
}

std::string asked(const judge::Verdict& verdict, const judge::Check& check, std::string question) {
  auto other = of_header(verdict, check);
  return other.empty() ? question : other;
}

// A number beyond its limit, and the line that has most part in it where one is known.
std::string about_number(const judge::Verdict& verdict, const judge::Check& check,
                         std::string_view source, const Terminal& terminal) {
  const auto title =
      check.place.line == 0 ? "" : heading(spot(verdict, check.place), words(check).what, terminal);
  return sections({title, paragraph(in_this_shape(check), terminal),
                   source_line(verdict, check.place, source, nullptr, terminal),
                   paragraph(asked(verdict, check, ask_about(check)), terminal)});
}

// Which request is drawn, of several that are not alike; begins with a space.
std::string drawn_one(const device::LineCounts& row, const std::string& picture) {
  if (picture.empty()) return "";
  const auto& one = row.worst;
  return " " + tr("Below is one of the worst, of warp {} in block ({}, {}, {}).", one.warp,
                  one.block.x, one.block.y, one.block.z);
}

std::string passes_of(const device::LineCounts& row, const std::string& picture) {
  const auto all =
      tr("{} took {} instead of {}.", counted(row.requests, "{} request", "{} requests"),
         counted(row.wavefronts, "{} pass", "{} passes"), thousands(row.ideal));
  const auto ways = judge::ways(row);
  const auto alike = row.ways[ways];
  if (alike == row.requests || ways < 2) return all;
  return all + " " +
         trn("{} of them is {}-way.", "{} of them are {}-way.", alike, thousands(alike), ways) +
         drawn_one(row, picture);
}

// A copy may wait though no two of its lanes share a bank of shared memory.
std::string conflict_of(const device::LineCounts& row) {
  const auto ways = judge::ways(row);
  return ways < 2 ? tr("a copy in pieces") : tr("{}-way conflict", ways);
}

std::string about_conflicts(const judge::Verdict& verdict, const judge::Check& check,
                            std::string_view source, const Terminal& terminal) {
  const auto* row =
      check.row ? &*check.row : row_at(verdict, check.place, [](const device::LineCounts& line) {
        return line.conflicts();
      });
  if (!row) return about_number(verdict, check, source, terminal);
  const auto picture = picture_of(*row, terminal);
  const auto passes = passes_of(*row, picture);
  const auto where =
      check.row && !check.shape.empty() ? tr("For {}, {}", in_words(check.shape), passes) : passes;
  return sections({heading(spot(verdict, check.place), conflict_of(*row), terminal) +
                       paragraph(where, terminal),
                   source_line(verdict, check.place, source, row, terminal) + picture,
                   paragraph(asked(verdict, check, ask_about_conflicts(*row)), terminal)});
}

std::string about_sectors(const judge::Verdict& verdict, const judge::Check& check,
                          std::string_view source, const Terminal& terminal) {
  const auto* row = check.row ? &*check.row
                              : row_at(verdict, check.place,
                                       [](const device::LineCounts& line) { return line.sectors; });
  if (!row) return heading(spot(verdict, check.place), words(check).message, terminal);
  const bool one = row->sectors == row->requests;
  const auto picture = sectors_of(*row, terminal);
  const auto& drawn = row->worst;
  const bool alike =
      row->sectors ==
      row->requests * static_cast<std::uint64_t>(model::sectors(drawn.active, drawn.offset));
  const auto requests = counted(row->requests, "{} request", "{} requests");
  const auto matter =
      one ? tr("1 sector per request, {}", requests)
          : tr("{} sectors per request, {}", ratio(row->sectors, row->requests), requests);
  return sections(
      {heading(spot(verdict, check.place), matter, terminal),
       paragraph(in_this_shape(check) + (alike ? "" : drawn_one(*row, picture)), terminal),
       source_line(verdict, check.place, source, row, terminal) + picture,
       paragraph(asked(verdict, check, ask_about_sectors(check, *row)), terminal)});
}

std::string about_output(const judge::Verdict& verdict, const judge::Check& check,
                         const Terminal& terminal) {
  const auto& wrong = *verdict.wrong;
  const auto& result = wrong.comparison;
  if (!result.first) return "";
  const auto& first = *result.first;
  const auto where = judge::subscript(wrong.buffer, first, result.extent);
  const auto matter = first.unwritten
                          ? tr("expected {}, never written", judge::text(first.expected))
                          : tr("expected {}, got {}", judge::text(first.expected, first.got),
                               judge::text(first.got, first.expected));
  const auto among = thousands(result.elements);
  const auto how_many =
      result.wrong == 1
          ? tr("The only wrong element among {}, for {}.", among, in_words(wrong.shape))
          : tr("The first of {} wrong elements among {}, for {}.", thousands(result.wrong), among,
               in_words(wrong.shape));
  return sections({heading(where, matter, terminal), paragraph(how_many, terminal),
                   paragraph(ask_about_output(check, wrong), terminal)});
}

// What the exercise asks of order between threads is beside the point for any other finding.
std::string authors_question(const judge::Check& check, const device::Finding& finding) {
  return finding.kind == device::FindingKind::race ? language::of_course(check.question) : "";
}

// Blocks run one after another on the emulated device, so a race between two of them is not why its
// numbers are wrong: that has a cause of its own.
std::string wrong_as_well(const judge::Verdict& verdict, const device::Finding& finding) {
  const auto* output = judge::find(verdict.checks, CheckKind::output);
  if (finding.meeting != device::Meeting::between_blocks || !output || !verdict.wrong ||
      output->status != judge::Status::failed)
    return "";
  const auto& wrong = *verdict.wrong;
  return tr("That elements of `{}` are wrong as well, for {}, need not come from this race. {}",
            wrong.buffer, in_words(wrong.shape), ask_about_output(*output, wrong));
}

std::string about_finding(const judge::Verdict& verdict, const judge::Check& check,
                          std::string_view source, const Terminal& terminal) {
  const auto* found = std::get_if<judge::facts::Found>(&check.facts);
  const auto title = heading(spot(verdict, check.place), words(check).what, terminal);
  if (!found) return sections({title, paragraph(words(check).message, terminal)});
  const auto* finding = &found->finding;
  auto other = check.place;
  other.line = finding->other_line;
  auto quoted = source_line(verdict, check.place, source, nullptr, terminal);
  if (other.line != 0 && other.line != check.place.line) {
    const auto second = source_line(verdict, other, source, nullptr, terminal);
    quoted = other.line < check.place.line ? second + quoted : quoted + second;
  }
  const auto often = finding->count > 1 ? " " + tr("This happened {} times on this line.",
                                                   thousands(finding->count))
                                        : "";
  const auto where =
      tr("For {}, block ({}, {}, {}), thread ({}, {}, {}): {}{}{}", in_words(check.shape),
         finding->block.x, finding->block.y, finding->block.z, finding->thread.x, finding->thread.y,
         finding->thread.z, ended(in_words(finding->message)), called_from(*finding), often);
  return sections({title, quoted, paragraph(where, terminal),
                   paragraph(ask_about_finding(*finding), terminal),
                   paragraph(authors_question(check, *finding), terminal),
                   paragraph(wrong_as_well(verdict, *finding), terminal)});
}

bool is_about_cost(const judge::Check& check) {
  return check.kind() == CheckKind::kernel && !check.measures.empty();
}

bool has_conflicts(const judge::Check& check) { // more than it may
  return !check.measures.empty() && check.measures.front().value > check.measures.front().high;
}

// A value that belongs to another index went to the wrong place; that two blocks write one element
// follows from it.
bool comes_of_an_index(const judge::Verdict& verdict, const judge::Check& memory) {
  const auto* output = judge::find(verdict.checks, CheckKind::output);
  const auto* found = std::get_if<judge::facts::Found>(&memory.facts);
  return output && output->status == judge::Status::failed && verdict.wrong &&
         verdict.wrong->comparison.belongs && found &&
         found->finding.kind == device::FindingKind::race &&
         found->finding.meeting == device::Meeting::between_blocks;
}

} // namespace

const judge::Check* focus_of(const judge::Verdict& verdict) {
  const auto* memory = judge::find(verdict.checks, CheckKind::memory);
  if (memory && memory->status == judge::Status::failed && comes_of_an_index(verdict, *memory))
    return judge::find(verdict.checks, CheckKind::output);
  for (const auto kind :
       {CheckKind::launch, CheckKind::kernel, CheckKind::memory, CheckKind::output}) {
    const auto* check = judge::find(verdict.checks, kind);
    if (check && check->status == judge::Status::failed && !is_about_cost(*check)) return check;
  }
  // That a kernel takes far too much is said by its cost where nothing says it by a line.
  for (const auto& check : verdict.checks)
    if (check.status == judge::Status::failed && !is_about_cost(check)) return &check;
  return judge::first_failed(verdict.checks);
}

std::string focus(const judge::Verdict& verdict, std::string_view source,
                  const Terminal& terminal) {
  const auto* check = focus_of(verdict);
  return check ? about(verdict, *check, source, terminal) : "";
}

std::string about(const judge::Verdict& verdict, const judge::Check& check, std::string_view source,
                  const Terminal& terminal) {
  using Shown = judge::KnownCheck::Shown;
  switch (judge::known(check.kind()).shown) {
  case Shown::conflicts:
    if (has_conflicts(check)) return about_conflicts(verdict, check, source, terminal);
    break;
  case Shown::sectors:
    return about_sectors(verdict, check, source, terminal);
  case Shown::element:
    if (verdict.wrong) return about_output(verdict, check, terminal);
    break;
  case Shown::finding:
    if (!is_about_cost(check)) return about_finding(verdict, check, source, terminal);
    break;
  case Shown::number:
    break;
  }
  return about_number(verdict, check, source, terminal);
}

} // namespace course::report
