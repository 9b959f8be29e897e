#include "report/launches/launch_tables.hpp"

#include "device/model/counted.hpp"
#include "language/translate.hpp"
#include "report/launches/fitted_table.hpp"
#include "report/launches/summary.hpp"
#include "report/words/access_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace course::report {
namespace {

constexpr std::size_t kMostLaunches = 40; // shown; the JSON has all
constexpr std::size_t kMostAlone = 200;   // of each by itself
constexpr std::size_t kMostWhole = 6;     // kinds of launches whose tables are all shown
constexpr std::size_t kWorst = 3;         // of more, that are
constexpr std::size_t kMostNames = 5;     // of kernels, where none has the one asked for
constexpr int kTableIndent = 4;

// "4096", "64 x 64", "8 x 8 x 2"
std::string dimensions(const device::Dim3& dim) {
  if (dim.z > 1) return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z);
  return dim.y > 1 ? fmt::format("{} x {}", dim.x, dim.y) : fmt::format("{}", dim.x);
}

std::string number(std::uint64_t value) {
  return value == 0 ? "" : thousands(value);
}

// "copy.cu:12"; nothing where the code was compiled without line numbers.
std::string line_text(const device::LineCounts& line) {
  return line.line == 0 ? "" : fmt::format("{}:{}", file_name(line.file), line.line);
}

// "shared load 4", with a star where it is counted as in the PTX, a plus where a GPU counts more,
// and a tilde where its counters take some for others.
std::string access_text(const device::LineCounts& line) {
  std::string text = access_words(line.kind);
  if (!line.width_from_sass) text += "*";
  if (line.at_least) text += "+";
  if (line.may_fill) text += "~";
  return text;
}

Table table_of(const device::LaunchSum& launch) {
  std::vector<Table::Column> columns{{trc("a column", "line"), false, 0},
                                     {trc("a column", "access"), false, 0}};
  model::for_each_count(device::LineCounts(), [&](const model::KnownCount& known, std::uint64_t) {
    columns.push_back({language::translated("a column", known.word), true, known.leave_out});
    if (known.member == "ideal") columns.push_back({trc("a column", "conflicts"), true, 0});
  });
  Table table(std::move(columns));
  for (const auto& line : launch.lines) {
    const bool shared = line.kind.is_on(model::Memory::shared) && line.wavefronts > 0 &&
                        line.kind.access != model::RequestKind::cp_async;
    const bool free = bank_conflicts(line) == 0;
    std::vector<Table::Cell> cells{{line_text(line)}, {access_text(line)}};
    model::for_each_count(line, [&](const model::KnownCount& known, std::uint64_t count) {
      cells.push_back({known.member == "requests" ? thousands(count) : number(count)});
      if (known.member == "ideal")
        cells.push_back({shared ? thousands(line.conflicts()) : "", free ? Ink::plain : Ink::red});
    });
    table.add(std::move(cells));
  }
  return table;
}

// Names of templates in libraries have no end; the JSON has them whole.
std::string kernel_text(const std::string& kernel, const Terminal& terminal) {
  auto text = printable(kernel);
  const auto room = static_cast<std::size_t>(std::max(terminal.columns - kIndent, 10));
  if (text.size() <= room) return text;
  // Instances of one template differ in its arguments, which are at the end.
  const auto arguments = text.size() - std::min(text.find('<'), text.size());
  const auto end = arguments > 0 && arguments <= room * 2 / 3 ? arguments : room / 3;
  return text.substr(0, room - 3 - end) + "..." + text.substr(text.size() - end);
}

// "64 of 4,096 blocks"; nothing where all of them were executed.
std::string sample_text(std::uint64_t left_out, std::uint64_t blocks) {
  return left_out == 0 ? ""
                       : tr("{} of {}", thousands(blocks - left_out),
                            counted(blocks, "{} block", "{} blocks"));
}

std::string launch_section(const device::LaunchSum& launch, const Table& table,
                           const Table::Fit& fit, const Terminal& terminal) {
  const auto& counts = launch.counts;
  std::string out =
      "  " + inked(kernel_text(counts.kernel, terminal), Ink::bold, terminal) + "\n" +
      wrapped(tr("grid {}, block {}; {}, {} in all", dimensions(counts.grid),
                 dimensions(counts.block), counted(launch.launches, "{} launch", "{} launches"),
                 counted(counts.instructions, "{} warp instruction", "{} warp instructions")) +
                  (launch.left_out == 0
                       ? ""
                       : trc("a list", "; {}", sample_text(launch.left_out, launch.blocks()))),
              terminal.columns, kIndent);
  if (!launch.lines.empty()) out += table.text(terminal, kTableIndent, fit);
  return out;
}

bool is_shown(const device::LaunchSum& launch, const Shown& shown) {
  return launch.counts.kernel.find(shown.kernel) != std::string::npos;
}

std::string each_launch_section(const LaunchReport& report, const Terminal& terminal,
                                const Shown& shown) {
  Table table({{trc("a column", "launch"), true, 0},
               {trc("a column", "kernel"), false, 0},
               {trc("a column", "grid"), false, 1},
               {trc("a column", "block"), false, 2},
               {trc("a column", "executed"), false, 1},
               {trc("a column", "instructions"), true, 5},
               {trc("a column", "wavefronts"), true, 3},
               {trc("a column", "conflicts"), true, 0},
               {trc("a column", "sectors"), true, 0}});
  std::size_t matching = 0;
  for (std::size_t i = 0; i < report.each_launch.size(); ++i) {
    const auto& one = report.each_launch[i];
    const auto& of = report.launches.at(one.kind);
    if (!is_shown(of, shown) || ++matching > kMostAlone) continue;
    const auto conflicts = one.wavefronts - one.ideal - one.extra_of_copies;
    table.add(
        {{thousands(i + 1) + (one.stopped ? "..." : "")},
         {kernel_text(of.counts.kernel, {.columns = terminal.columns / 3})},
         {dimensions(of.counts.grid)},
         {dimensions(of.counts.block)},
         {sample_text(one.left_out, of.counts.grid.count())},
         {thousands(one.instructions)},
         {number(one.wavefronts)},
         {one.wavefronts > 0 ? thousands(conflicts) : "", conflicts == 0 ? Ink::plain : Ink::red},
         {number(one.sectors_load + one.sectors_store + one.sectors_atomic)}});
  }
  if (matching == 0) return "";
  auto out = table.text(terminal, kIndent);
  if (matching > kMostAlone)
    out += "  " + tr("and {} more; --json has them", thousands(matching - kMostAlone)) + "\n";
  return out;
}

// Wavefronts and sectors that a launch would not need.
struct Wasted {
  std::uint64_t conflicts = 0, sectors = 0;
  std::uint64_t wavefronts = 0; // those of asynchronous copies as well

  explicit Wasted(const device::LaunchSum& launch) {
    for (const auto& line : launch.lines) {
      conflicts += bank_conflicts(line);
      wavefronts += line.conflicts();
      sectors += sectors_wasted(line);
    }
  }
  std::uint64_t all() const { return wavefronts + sectors; }
};

using Sums = std::vector<const device::LaunchSum*>;

std::string tables_of(const Sums& launches, const Terminal& terminal) {
  std::vector<Table> tables;
  for (const auto* launch : launches) tables.push_back(table_of(*launch));
  const auto fit = Table::fitting(tables, terminal, kTableIndent);
  std::string out;
  for (std::size_t i = 0; i < launches.size(); ++i)
    out += (i > 0 ? "\n" : "") + launch_section(*launches[i], tables[i], fit, terminal);
  return out;
}

// A row for each, as tables of all would be hundreds of lines.
std::string rows_of(const Sums& launches, const Terminal& terminal) {
  Table table({{trc("a column", "kernel"), false, 0},
               {trc("a column", "grid"), false, 5},
               {trc("a column", "block"), false, 6},
               {trc("a column", "launches"), true, 3},
               {trc("a column", "instructions"), true, 2},
               {trc("a column", "conflicts"), true, 0},
               {trc("a column", "wasted sectors"), true, 0}});
  for (const auto* launch : launches) {
    const Wasted wasted(*launch);
    table.add({{kernel_text(launch->counts.kernel, {.columns = terminal.columns / 2})},
               {dimensions(launch->counts.grid)},
               {dimensions(launch->counts.block)},
               {thousands(launch->launches)},
               {thousands(launch->counts.instructions)},
               {thousands(wasted.conflicts), wasted.conflicts == 0 ? Ink::plain : Ink::red},
               {thousands(wasted.sectors), wasted.sectors == 0 ? Ink::plain : Ink::red}});
  }
  return table.text(terminal, kIndent);
}

std::string lines_section(const LaunchReport& report, const Terminal& terminal,
                          const Shown& shown) {
  Sums matching;
  for (const auto& launch : report.launches)
    if (is_shown(launch, shown)) matching.push_back(&launch);
  const std::size_t all = matching.size();
  if (all <= kMostWhole || !shown.kernel.empty()) {
    matching.resize(std::min(all, kMostLaunches));
    auto out = tables_of(matching, terminal);
    if (all > kMostLaunches)
      out += "\n  " +
             tr("and {} more kinds of launches; --json has them all", all - kMostLaunches) + "\n";
    return out;
  }
  Sums worst = matching;
  std::ranges::stable_sort(worst, std::ranges::greater{},
                           [](const auto* launch) { return Wasted(*launch).all(); });
  worst.resize(kWorst);
  std::erase_if(worst, [](const auto* launch) { return Wasted(*launch).all() == 0; });
  matching.resize(std::min(all, kMostAlone));
  auto out = rows_of(matching, terminal);
  if (all > kMostAlone)
    out += "  " + tr("and {} more; --json has them", thousands(all - kMostAlone)) + "\n";
  out += wrapped(worst.empty() ? tr("--kernel NAME shows the lines of one.")
                               : tr("Below are the lines of those that waste most; --kernel NAME "
                                    "shows others."),
                 terminal.columns, kIndent);
  return worst.empty() ? out : out + "\n" + tables_of(worst, terminal);
}

} // namespace

std::string file_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

std::string launches_section(const LaunchReport& report, const Terminal& terminal,
                             const Shown& shown) {
  auto out = shown.each_launch ? each_launch_section(report, terminal, shown)
                               : lines_section(report, terminal, shown);
  if (!out.empty() || report.launches.empty()) return out;
  std::string all;
  for (std::size_t i = 0; i < std::min(report.launches.size(), kMostNames); ++i)
    all += (i > 0 ? ", " : "") + report.launches[i].counts.kernel;
  return wrapped(printable(tr("No kernel has {} in its name. There are: {}.", shown.kernel, all)),
                 terminal.columns, kIndent);
}

} // namespace course::report
