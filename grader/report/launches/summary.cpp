#include "report/launches/summary.hpp"

#include "device/model/request_type.hpp"
#include "language/translate.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace course::report {
namespace {

// The part of some counts that could be saved, and the line that has most of it.
struct Waste {
  std::uint64_t wasted = 0, all = 0;
  std::uint64_t most = 0;
  const device::LineCounts* line = nullptr;

  void add(const device::LineCounts& row, std::uint64_t more, std::uint64_t of) {
    wasted += more;
    all += of;
    if (more <= most) return;
    most = more;
    line = &row;
  }
};

std::string share(const Waste& waste) {
  const auto percent = 100.0 * static_cast<double>(waste.wasted) / static_cast<double>(waste.all);
  return percent < 1 ? tr("under 1%") : fmt::format("{:.0f}%", percent);
}

std::string place(const device::LineCounts& line) {
  if (line.line == 0) return line.kernel;
  return fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line);
}

std::string conflicts(const Waste& waste) {
  return tr("Bank conflicts: {} of {} wavefronts ({}), most at {}: {} per request where {} "
            "would do.",
            thousands(waste.wasted), thousands(waste.all), share(waste), place(*waste.line),
            ratio(waste.line->wavefronts, waste.line->requests),
            ratio(waste.line->ideal, waste.line->requests));
}

std::string sectors(const Waste& waste) {
  return tr("Wasted sectors: {} of {} ({}), most at {}: {} per request where {} would do.",
            thousands(waste.wasted), thousands(waste.all), share(waste), place(*waste.line),
            ratio(waste.line->sectors, waste.line->requests), sectors_needed(waste.line->kind));
}

std::string wrong(const std::vector<device::Finding>& findings) {
  std::map<std::string, std::set<std::pair<std::string, std::uint32_t>>> places; // by kind
  for (const auto& finding : findings)
    if (!device::is_note(finding.kind) && !is_where_it_stopped(finding))
      places[kind_word(finding.kind)].insert({finding.file, finding.line});
  std::string text;
  for (const auto& [kind, at] : places)
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        tr("{} at {}", kind, counted(at.size(), "{} line", "{} lines")));
  return text.empty() ? "" : tr("Found wrong: {}; more below.", text);
}

// Copies that are started and not waited for.
std::string copies(const Waste& waste) {
  return tr(
      "Extra wavefronts of asynchronous copies: {} of {} ({}), most at {}: {} per request where "
      "{} would do. Neighbouring lanes copy from lines apart, or to them; where it is from, no "
      "swizzle of shared memory helps, and copies by neighbours of neighbouring pieces do.",
      thousands(waste.wasted), thousands(waste.all), share(waste), place(*waste.line),
      ratio(waste.line->wavefronts, waste.line->requests),
      ratio(waste.line->ideal, waste.line->requests));
}

// What a clean bill cannot be given without: all that the program asked for was done.
bool is_whole(const LaunchReport& report) {
  return report.checked && report.stopped_by.empty() && report.errors.empty() &&
         report.unsupported.empty() && std::ranges::none_of(report.findings, is_where_it_stopped);
}

bool came_the_same(const LaunchReport& report) {
  return !report.orders || report.orders->otherwise.empty();
}

std::string of_sample(const LaunchReport& report) {
  const auto without = left_out(report);
  if (without == 0) return "";
  std::uint64_t all = 0;
  bool any = false; // found wrong
  for (const auto& launch : report.launches) all += launch.blocks();
  for (const auto& finding : report.findings) any = any || !device::is_note(finding.kind);
  const auto percent = 100.0 * static_cast<double>(all - without) / static_cast<double>(all);
  auto text = tr("A sample: {} of {} blocks were executed ({}). Results are not the program's, and "
                 "counts are those of these blocks alone.",
                 thousands(all - without), thousands(all),
                 percent < 1     ? tr("under 1%")
                 : percent >= 99 ? tr("over 99%")
                                 : fmt::format("{:.0f}%", percent));
  if (any) text += tr(" What is found wrong may come of what the others did not write.");
  return text;
}

} // namespace

std::vector<std::string> caveats_of(const LaunchReport& report) {
  std::vector<std::string> caveats;
  if (!report.stopped_by.empty())
    caveats.push_back(tr("Not complete: {} stopped it. This is what was executed until then.",
                         report.stopped_by));
  if (auto sample = of_sample(report); !sample.empty()) caveats.push_back(std::move(sample));
  if (!report.choices.empty())
    caveats.push_back(
        tr("Executed in the order {}: counts are those of this order.", report.choices));
  if (report.order)
    caveats.push_back(tr("Executed in drawn order {}, which the standard leaves open: counts are "
                         "those of this order.",
                         report.order));
  if (!report.checked)
    caveats.push_back(tr("Not checked: nobody looked for races, nor for reads of what nothing has "
                         "written."));
  return caveats;
}

std::uint64_t bank_conflicts(const device::LineCounts& row) {
  return row.kind.access == model::RequestKind::cp_async ? 0 : row.conflicts();
}

std::uint64_t sectors_needed(const model::RequestType& kind) {
  const bool global = kind.access == model::RequestKind::global_load ||
                      kind.access == model::RequestKind::global_store;
  return global ? static_cast<std::uint64_t>(kind.width) : 0;
}

std::uint64_t sectors_wasted(const device::LineCounts& row) {
  const auto needed = sectors_needed(row.kind) * row.requests;
  return needed > 0 && row.sectors > needed ? row.sectors - needed : 0;
}

std::vector<std::string> summary_of(const LaunchReport& report) {
  Waste in_shared, in_copies, in_global;
  bool any = false;
  for (const auto& launch : report.launches) {
    for (const auto& row : launch.lines) {
      any = any || row.requests > 0;
      const bool copied = row.kind.access == model::RequestKind::cp_async;
      if (row.wavefronts > 0)
        (copied ? in_copies : in_shared).add(row, row.conflicts(), row.wavefronts);
      if (row.sectors > 0 && sectors_needed(row.kind) > 0)
        in_global.add(row, sectors_wasted(row), row.sectors);
    }
  }
  std::vector<std::string> lines;
  if (in_shared.wasted > 0) lines.push_back(conflicts(in_shared));
  if (in_copies.wasted > 0) lines.push_back(copies(in_copies));
  if (in_global.wasted > 0) lines.push_back(sectors(in_global));
  if (auto text = wrong(report.findings); !text.empty()) lines.push_back(std::move(text));
  if (lines.empty() && any)
    lines.push_back(is_whole(report) && came_the_same(report)
                        ? tr("No bank conflicts, no wasted sectors, and nothing was found wrong.")
                        : tr("No bank conflicts, and no wasted sectors."));
  if (report.orders)
    for (auto& text : order_words(*report.orders)) lines.push_back(std::move(text));
  return lines;
}

} // namespace course::report
