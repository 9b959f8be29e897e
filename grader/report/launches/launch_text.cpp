#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/launches/fitted_table.hpp"
#include "report/launches/launches.hpp"
#include "report/launches/summary.hpp"
#include "report/sentence.hpp"
#include "report/words/access_words.hpp"
#include "report/words/by_form.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace course::report {
namespace {

constexpr std::size_t kMostLaunches = 40; // shown; the JSON has all
constexpr std::size_t kMostAlone = 200;   // of each by itself
constexpr std::size_t kMostLines = 5;     // of errors
constexpr std::size_t kMostFindings = 20; // places
constexpr int kIndent = 2;

std::string file_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

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
  Table table({{trc("a column", "line"), false, 0},
               {trc("a column", "access"), false, 0},
               {trc("a column", "requests"), true, 3},
               {trc("a column", "wavefronts"), true, 4},
               {trc("a column", "ideal"), true, 5},
               {trc("a column", "conflicts"), true, 0},
               {trc("a column", "sectors"), true, 1},
               {trc("a column", "lines"), true, 2},
               {trc("a column", "bytes"), true, 2},
               {trc("a column", "replays"), true, 2}});
  for (const auto& line : launch.lines) {
    const bool shared = line.kind.is_on(model::Memory::shared) && line.wavefronts > 0;
    const bool free = line.conflicts() == 0;
    table.add({{line_text(line)},
               {access_text(line)},
               {thousands(line.requests)},
               {number(line.wavefronts)},
               {number(line.ideal)},
               {shared ? thousands(line.conflicts()) : "", free ? Ink::plain : Ink::red},
               {number(line.sectors)},
               {number(line.remote_lines)},
               {number(line.bytes)},
               {number(line.replays)}});
  }
  return table;
}

// Names of templates in libraries have no end; the JSON has them whole.
std::string kernel_text(const std::string& kernel, const Terminal& terminal) {
  auto text = printable(kernel);
  const auto room = static_cast<std::size_t>(std::max(terminal.columns - kIndent, 10));
  if (text.size() > room) text = text.substr(0, room - 3) + "...";
  return text;
}

// "64 of 4,096 blocks"; nothing where all of them were executed.
std::string sample_text(std::uint64_t left_out, std::uint64_t blocks) {
  return left_out == 0 ? ""
                       : tr("{} of {}", thousands(blocks - left_out),
                            counted(blocks, "{} block", "{} blocks"));
}

std::string launch_section(const device::LaunchSum& launch, const Terminal& terminal) {
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
  if (!launch.lines.empty()) out += table_of(launch).text(terminal, 4);
  return out;
}

template <class Predicate>
bool any_line(const LaunchReport& report, Predicate predicate) {
  for (const auto& launch : report.launches)
    if (std::any_of(launch.lines.begin(), launch.lines.end(), predicate)) return true;
  return false;
}

// Findings of one kind at one line of a kernel: a loop that the compiler unrolled has a hundred.
struct Findings {
  const device::Finding* first = nullptr;
  std::vector<std::uint32_t> other_lines;
  std::uint64_t count = 0;
};

std::vector<Findings> grouped(const std::vector<device::Finding>& findings) {
  std::vector<Findings> groups;
  for (const auto& finding : findings) {
    auto group = std::ranges::find_if(groups, [&](const Findings& known) {
      const auto& one = *known.first;
      return one.kind == finding.kind && one.kernel == finding.kernel && one.file == finding.file &&
             one.line == finding.line && one.fatal == finding.fatal;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {&finding, {}, 0});
    group->count += finding.count;
    if (finding.other_line != 0 && finding.other_line != finding.line)
      group->other_lines.push_back(finding.other_line);
  }
  // First what races may come from, last what is not wrong.
  std::ranges::stable_sort(groups, {}, [](const Findings& group) {
    const auto kind = group.first->kind;
    return device::is_note(kind) ? 2 : device::is_missed_meeting(kind) ? 0 : 1;
  });
  return groups;
}

// "reduce.cu:12 and 13, 14"
std::string place(const Findings& findings) {
  const auto& finding = *findings.first;
  if (finding.line == 0) return printable(finding.kernel);
  auto text = fmt::format("{}:{}", file_name(finding.file), finding.line);
  for (std::size_t i = 0; i < findings.other_lines.size(); ++i)
    text = i == 0 ? trc("lines", "{} and {}", text, findings.other_lines[i])
                  : trc("a list", "{}, {}", text, findings.other_lines[i]);
  return text;
}

std::string findings_section(const LaunchReport& report, const Terminal& terminal) {
  std::string out;
  const auto groups = grouped(report.findings);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostFindings); ++i) {
    const auto& finding = *groups[i].first;
    const auto& [block, thread] = std::pair(finding.block, finding.thread);
    const auto heading = tr("{}   {}{} in {}", place(groups[i]),
                            is_where_it_stopped(finding) ? tr("stopped") : kind_word(finding.kind),
                            device::is_note(finding.kind) ? tr(" (a note)") : "", finding.kernel);
    // Of a launch that a copy or host code races with, no thread is known: the launch was over.
    const bool of_launch =
        finding.meeting == device::Meeting::with_host ||
        (finding.meeting == device::Meeting::between_streams && finding.other_line == 0);
    const auto who = of_launch ? ""
                               : tr("Block ({}, {}, {}), thread ({}, {}, {}):", block.x, block.y,
                                    block.z, thread.x, thread.y, thread.z);
    const auto text = fmt::format(
        "{}{}{}{}{}", who, who.empty() ? "" : " ", ended(in_words(finding.message)),
        called_from(finding),
        groups[i].count > 1 ? " " + tr("{} times in all.", thousands(groups[i].count)) : "");
    out += inked(wrapped(printable(heading), terminal.columns, kIndent), Ink::bold, terminal) +
           wrapped(printable(text), terminal.columns, kIndent + 2);
  }
  if (groups.size() > kMostFindings)
    out +=
        "  " + tr("and {} more places; --json has them all", groups.size() - kMostFindings) + "\n";
  return out;
}

std::string errors_section(const LaunchReport& report, const Terminal& terminal) {
  std::vector<std::pair<std::string, std::size_t>> errors; // and how often
  for (const auto& error : report.errors) {
    auto text = fmt::format("{}: {}{}{}", error.call, error.error, error.why.empty() ? "" : ": ",
                            in_words(error.why));
    const auto known = std::ranges::find(errors, text, &decltype(errors)::value_type::first);
    if (known != errors.end())
      ++known->second;
    else
      errors.emplace_back(std::move(text), 1);
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(errors.size(), kMostLines); ++i) {
    const auto& [text, times] = errors[i];
    out += wrapped(printable(times > 1 ? tr("{} ({} times)", text, times) : text), terminal.columns,
                   kIndent);
  }
  if (errors.size() > kMostLines)
    out += "  " + tr("and {} more", errors.size() - kMostLines) + "\n";
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
               {trc("a column", "instructions"), true, 4},
               {trc("a column", "wavefronts"), true, 3},
               {trc("a column", "conflicts"), true, 0},
               {trc("a column", "sectors"), true, 0}});
  std::size_t matching = 0;
  for (std::size_t i = 0; i < report.each_launch.size(); ++i) {
    const auto& one = report.each_launch[i];
    const auto& of = report.launches.at(one.kind);
    if (!is_shown(of, shown) || ++matching > kMostAlone) continue;
    const auto conflicts = one.wavefronts - one.ideal;
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

std::string lines_section(const LaunchReport& report, const Terminal& terminal,
                          const Shown& shown) {
  std::string out;
  std::size_t matching = 0;
  for (const auto& launch : report.launches)
    if (is_shown(launch, shown) && ++matching <= kMostLaunches)
      out += (out.empty() ? "" : "\n") + launch_section(launch, terminal);
  if (matching > kMostLaunches)
    out += "\n  " +
           tr("and {} more kinds of launches; --json has them all", matching - kMostLaunches) +
           "\n";
  return out;
}

std::string launches_section(const LaunchReport& report, const Terminal& terminal,
                             const Shown& shown) {
  auto out = shown.each_launch ? each_launch_section(report, terminal, shown)
                               : lines_section(report, terminal, shown);
  if (!out.empty() || report.launches.empty()) return out;
  std::string all;
  for (std::size_t i = 0; i < std::min(report.launches.size(), kMostLines); ++i)
    all += (i > 0 ? ", " : "") + report.launches[i].counts.kernel;
  return wrapped(printable(tr("No kernel has {} in its name. There are: {}.", shown.kernel, all)),
                 terminal.columns, kIndent);
}

std::string notes_section(const LaunchReport& report, const Terminal& terminal) {
  std::string out;
  const auto note = [&](const std::string& text) {
    out += wrapped(printable(text), terminal.columns, kIndent);
  };
  for (const auto& call : report.unsupported)
    note(tr("{} is not supported on the emulated device.", call_in_words(call)));
  if (*report.banks != model::kH200)
    note(tr("Shared memory is counted as on compute capability {} (NVIDIA's guides); how "
            "such devices serve atomics is not documented, so those have no wavefronts.",
            report.banks->name));
  if (any_line(report, [](const device::LineCounts& line) { return line.line == 0; }))
    note(tr("Without line numbers all accesses of a kind are one row. nvcc -lineinfo puts them "
            "in."));
  if (any_line(report, [](const device::LineCounts& line) { return !line.width_from_sass; }))
    note(tr("* as the PTX has it: what became of this in machine code for sm_90 is not known for "
            "certain. Where the program has none, nvcc -arch=sm_90 -lineinfo puts it in."));
  const auto is_remote = [](const device::LineCounts& line) {
    return line.kind.is_on(model::Memory::remote);
  };
  const auto tries_again = [=](const device::LineCounts& line) {
    return line.at_least && !is_remote(line);
  };
  const auto asks_several = [=](const device::LineCounts& line) {
    return line.at_least && is_remote(line);
  };
  if (any_line(report, tries_again))
    note(
        tr("+ at least: these atomics try again while other warps change the same words, and a GPU "
           "counts another number each time."));
  if (any_line(report, asks_several))
    note(tr("+ at least: lanes of one atomic go to several other blocks, and a GPU takes a few "
            "sectors more for some of these."));
  if (any_line(report, [](const device::LineCounts& line) { return line.may_fill; }))
    note(tr(
        "~ copies that may fill up with zeros. Each is counted as what it does; a GPU's counters "
        "take some of them for others, and not always the same ones."));
  if (any_line(report, is_remote))
    note(
        tr("dshared is another block's shared memory. It has sectors of 32 bytes and lines of 128, "
           "and no banks: no counter of wavefronts or bank conflicts sees it. Of atomics there the "
           "lines are not known for certain, and of stores the bytes."));
  if (any_line(report, [](const device::LineCounts& line) { return is_bulk(line.kind.access); }))
    note(tr("bulk and tensor are copies that one thread asks for, with their bytes. No counter of "
            "shared memory's wavefronts or bank conflicts sees them."));
  for (const auto& text : run_words(report.run)) note(text);
  return out;
}

std::string headline(const LaunchReport& report, const Terminal& terminal) {
  std::uint64_t launches = 0;
  for (const auto& launch : report.launches) launches += launch.launches;
  const auto text =
      launches == 0 ? tr("no kernel was executed") : counted(launches, "{} launch", "{} launches");
  const auto what = wrapped(tr("{} on the {}: {}", printable(report.program),
                               language::translated("device", report.device.c_str()), text),
                            terminal.columns, kIndent);
  std::string caveats;
  for (const auto& caveat : caveats_of(report))
    caveats += inked(wrapped(printable(caveat), terminal.columns, kIndent), Ink::yellow, terminal);
  return what + caveats;
}

} // namespace

std::string launch_text(const LaunchReport& report, const Terminal& terminal, const Shown& shown) {
  std::string out = headline(report, terminal);
  const auto section = [&](const std::string& text) {
    if (!text.empty()) out += "\n" + text;
  };
  for (const auto& line : summary_of(report))
    out += wrapped(printable(line), terminal.columns, kIndent);
  section(launches_section(report, terminal, shown));
  section(findings_section(report, terminal));
  section(errors_section(report, terminal));
  section(notes_section(report, terminal));
  return out;
}

} // namespace course::report
