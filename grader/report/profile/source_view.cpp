#include "report/profile/source_view.hpp"

#include "language/translate.hpp"
#include "report/words/count_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

namespace course::report {
namespace {

using language::marked;
using language::right;

// What a line cost, in the order of the columns.
constexpr std::size_t kColumns = 5;
constexpr std::array<const char*, kColumns> kTitles{
    marked("a column", "instr"), marked("a column", "req"), marked("a column", "wave"),
    marked("a column", "confl"), marked("a column", "sect")};
constexpr std::size_t kConflicts = 3;
using Costs = std::array<std::uint64_t, kColumns>;

constexpr std::uint32_t kAround = 2;   // lines shown before and after one with counts
constexpr std::size_t kCell = 7;       // columns of a number
constexpr std::size_t kMargin = 7;     // "  > 123"
constexpr std::size_t kLeastText = 24; // of source

bool is_of(const std::string& path, const std::string& file) {
  return std::filesystem::path(path).filename() == std::filesystem::path(file).filename();
}

std::map<std::uint32_t, Costs> costs_of(const Profile& profile) {
  std::map<std::uint32_t, Costs> costs;
  for (const auto& row : profile.instructions)
    if (row.line > 0 && is_of(row.file, profile.file)) costs[row.line][0] += row.instructions;
  for (const auto& row : profile.lines) {
    if (row.line == 0 || !is_of(row.file, profile.file)) continue;
    auto& line = costs[row.line];
    line[1] += row.requests;
    line[2] += row.wavefronts;
    line[kConflicts] += row.conflicts();
    line[4] += row.sectors;
  }
  return costs;
}

std::vector<device::LineCounts> rows_of(const Profile& profile) {
  auto rows = profile.lines;
  std::erase_if(rows, [&](const auto& row) { return !is_of(row.file, profile.file); });
  return rows;
}

std::uint32_t hottest(const std::map<std::uint32_t, Costs>& costs) {
  const auto heat = [](const Costs& line) { return line[0] + line[2] + line[4]; };
  std::uint32_t hot = 0;
  for (const auto& [line, cost] : costs)
    if (heat(cost) > 0 && (hot == 0 || heat(cost) > heat(costs.at(hot)))) hot = line;
  return hot;
}

// The columns that have a number anywhere and fit, in their order.
std::vector<std::size_t> shown_columns(const std::map<std::uint32_t, Costs>& costs, int width) {
  std::set<std::size_t> shown;
  for (const auto& [line, cost] : costs)
    for (std::size_t i = 0; i < kColumns; ++i)
      if (cost[i] > 0) shown.insert(i);
  for (const auto column : {std::size_t{1}, std::size_t{2}, std::size_t{0}, std::size_t{4}}) {
    const auto taken = kMargin + shown.size() * kCell + 3 + kLeastText;
    if (taken <= static_cast<std::size_t>(std::max(width, 0))) break;
    shown.erase(column);
  }
  return {shown.begin(), shown.end()};
}

std::string cut(const std::string& text, std::size_t room) {
  if (columns(text) <= room) return text;
  return std::string(language::head(text, room - std::min<std::size_t>(room, 3))) + "...";
}

// Without the indentation that all lines have in common, as room is scarce.
std::vector<std::string> without_indentation(std::vector<std::string> lines,
                                             const std::set<std::uint32_t>& shown) {
  auto least = std::string::npos;
  for (const auto line : shown)
    if (const auto at = lines[line - 1].find_first_not_of(' '); at != std::string::npos)
      least = std::min(least, at);
  if (least == std::string::npos) return lines;
  for (auto& line : lines) line.erase(0, std::min(least, line.find_first_not_of(' ')));
  return lines;
}

std::string dimensions(const device::Dim3& dim) {
  return dim.z > 1   ? fmt::format("{} x {} x {}", dim.x, dim.y, dim.z)
         : dim.y > 1 ? fmt::format("{} x {}", dim.x, dim.y)
                     : fmt::format("{}", dim.x);
}

std::string launches_text(const Profile& profile, const Terminal& terminal) {
  std::string text;
  std::uint64_t instructions = 0;
  for (const auto& launch : profile.launches) {
    instructions += launch.instructions;
    const auto one = tr("{}, grid {}, block {}", printable(launch.kernel), dimensions(launch.grid),
                        dimensions(launch.block));
    if (text.find(one) == text.npos) text = text.empty() ? one : tr("{}; {}", text, one);
  }
  const auto all = counted(instructions, "{} warp instruction", "{} warp instructions");
  return wrapped(tr("{}: {}", printable(profile.file), tr("{}; {}", text, all)), terminal.columns,
                 2);
}

bool reaches_other_blocks(const Profile& profile) {
  return std::ranges::any_of(profile.lines,
                             [](const auto& row) { return row.kind.is_on(model::Memory::remote); });
}

// Each column that is shown, in words.
std::string legend(const std::vector<std::size_t>& shown, bool other_blocks,
                   const Terminal& terminal) {
  std::array<const char*, kColumns> meanings{
      marked("instr: instructions, a warp"), marked("req: requests to memory"),
      marked("wave: wavefronts of shared memory"), marked("confl: those that are conflicts"),
      marked("sect: sectors of global memory")};
  if (other_blocks)
    meanings[4] = marked("sect: sectors of global memory, and of other blocks' shared memory");
  std::string text;
  for (const auto column : shown)
    text = text.empty() ? language::translated(meanings[column])
                        : tr("{}; {}", text, language::translated(meanings[column]));
  return wrapped(
      tr("{}. > is the hottest line: most instructions, wavefronts and sectors together. "
         "Times: not measured, for there is no GPU.",
         text),
      terminal.columns, 2);
}

} // namespace

std::string compact(std::uint64_t value) {
  constexpr std::array<const char*, 6> kUnits{"", "k", "M", "G", "T", "P"};
  if (value < 1000) return std::to_string(value);
  std::uint64_t scale = 1;
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && value / scale >= 1000) {
    scale *= 1000;
    ++unit;
  }
  // Rounding may reach the next unit: 999,999 is 1.0M.
  if ((value + scale / 2) / scale >= 1000 && unit + 1 < kUnits.size()) {
    scale *= 1000;
    ++unit;
  }
  const auto tenths = (value + scale / 20) / (scale / 10);
  if (tenths < 100) return fmt::format("{}.{}{}", tenths / 10, tenths % 10, kUnits[unit]);
  return fmt::format("{}{}", (value + scale / 2) / scale, kUnits[unit]);
}

std::string source_view(const Profile& profile, const Terminal& terminal) {
  const auto costs = costs_of(profile);
  if (costs.empty()) return "  " + tr("no line of this file was executed by a kernel") + "\n";
  auto lines = lines_of(printable(profile.source));
  std::set<std::uint32_t> shown;
  for (const auto& [line, cost] : costs)
    for (std::uint32_t at = line > kAround ? line - kAround : 1; at <= line + kAround; ++at)
      if (at <= lines.size()) shown.insert(at);
  lines = without_indentation(std::move(lines), shown);

  const auto columns_shown = shown_columns(costs, terminal.columns);
  const auto taken = kMargin + columns_shown.size() * kCell + 3;
  const auto width = static_cast<std::size_t>(std::max(terminal.columns, 40));
  const auto room = std::max(width - std::min(width, taken), std::size_t{8});
  const auto hot = hottest(costs);

  std::string out = launches_text(profile, terminal) + "\n";
  std::string titles = right(trc("a column", "line"), kMargin);
  for (const auto column : columns_shown)
    titles += right(language::translated("a column", kTitles[column]), kCell);
  out += inked(titles, Ink::faint, terminal) + "\n";
  std::uint32_t before = *shown.begin();
  for (const auto line : shown) {
    if (line > before + 1) out += fmt::format("{:>{}}\n", "...", kMargin);
    before = line;
    const bool is_hot = line == hot;
    std::string row = fmt::format("{:>{}}{:>{}}", is_hot ? ">" : "", 3, line, kMargin - 3);
    const auto found = costs.find(line);
    for (const auto column : columns_shown) {
      const auto value = found == costs.end() ? 0 : found->second[column];
      const auto text = fmt::format("{:>{}}", value == 0 ? "" : compact(value), kCell);
      row += column == kConflicts ? inked(text, Ink::red, terminal) : text;
    }
    const auto source = cut(lines[line - 1], room);
    row +=
        inked(" | ", Ink::faint, terminal) + (is_hot ? inked(source, Ink::bold, terminal) : source);
    while (row.back() == ' ') row.pop_back();
    out += row + "\n";
  }
  out += "\n" + legend(columns_shown, reaches_other_blocks(profile), terminal);
  for (const auto& note : notes_on_counts(rows_of(profile)))
    out += "\n" + wrapped(note, terminal.columns, 2);
  return out;
}

} // namespace course::report
