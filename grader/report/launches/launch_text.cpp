#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/launches/launch_tables.hpp"
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

namespace course::report {
namespace {

constexpr std::size_t kMostLines = 5;     // of errors
constexpr std::size_t kMostFindings = 20; // places
// Why a call fails in a context that a kernel has ended: runtime/session.cpp.
constexpr const char* kLostBefore = "a kernel failed before";

constexpr double kLong = 5; // seconds, from which on they are said

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
             one.line == finding.line && one.fatal == finding.fatal &&
             one.survived == finding.survived;
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
  auto text = fmt::format("{}:{}", file_name(finding.file), finding.line);
  for (std::size_t i = 0; i < findings.other_lines.size(); ++i)
    text = i == 0 ? trc("lines", "{} and {}", text, findings.other_lines[i])
                  : trc("a list", "{}, {}", text, findings.other_lines[i]);
  return text;
}

std::string heading_of(const Findings& findings) {
  const auto& finding = *findings.first;
  const auto what = is_where_it_stopped(finding) ? tr("stopped") : kind_word(finding.kind);
  if (finding.line == 0) return trc("a finding", "{} in {}", what, finding.kernel);
  return tr("{}   {}{} in {}", place(findings), what,
            device::is_note(finding.kind) ? tr(" (a note)") : "", finding.kernel);
}

std::string findings_section(const LaunchReport& report, const Terminal& terminal) {
  std::string out;
  const auto groups = grouped(report.findings);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostFindings); ++i) {
    const auto& finding = *groups[i].first;
    const auto& [block, thread] = std::pair(finding.block, finding.thread);
    const auto heading = heading_of(groups[i]);
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

// Where a context is lost, every later call fails for that alone.
bool is_aftermath(const CallError& error) {
  return device::text_of(error.why) == kLostBefore;
}

std::string aftermath(const LaunchReport& report) {
  std::vector<std::string> calls;
  std::size_t count = 0;
  for (const auto& error : report.errors) {
    if (!is_aftermath(error)) continue;
    ++count;
    if (std::ranges::find(calls, error.call) == calls.end()) calls.push_back(error.call);
  }
  if (count == 0) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min(calls.size(), kMostLines); ++i)
    names += (i > 0 ? ", " : "") + calls[i];
  if (calls.size() > kMostLines) names = tr("{} and others", names);
  return tr(
      "As a kernel failed, {} behind it failed as well, and no later kernel was executed: {}.",
      counted(count, "{} call", "{} calls"), names);
}

std::string errors_section(const LaunchReport& report, const Terminal& terminal) {
  std::vector<std::pair<std::string, std::size_t>> errors; // and how often
  for (const auto& error : report.errors) {
    if (is_aftermath(error)) continue;
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
  if (const auto rest = aftermath(report); !rest.empty())
    out += wrapped(printable(rest), terminal.columns, kIndent);
  return out;
}

std::string notes_section(const LaunchReport& report, const Terminal& terminal) {
  std::string out;
  const auto note = [&](const std::string& text) {
    out += wrapped(printable(text), terminal.columns, kIndent);
  };
  for (const auto& call : report.unsupported)
    note(tr("{} is not supported on the emulated device.", call_in_words(call)));
  if (report.banks->rule != model::BankRule::since_5_0)
    note(tr("Shared memory is counted as on compute capability {} (NVIDIA's guides); how "
            "such devices serve atomics is not documented, so those have no wavefronts.",
            report.banks->name));
  if (any_line(report, [](const device::LineCounts& line) { return line.line == 0; }))
    note(tr("Without line numbers all accesses of a kind are one row. nvcc -lineinfo puts them "
            "in."));
  if (any_line(report, [](const device::LineCounts& line) { return !line.width_from_sass; }))
    note(report.compiled
             ? tr("* as the PTX has it: what became of this in machine code for sm_90 is not known "
                  "for certain.")
             : tr("* as the PTX has it: what became of this in machine code for sm_90 is not known "
                  "for certain. Where the program has none, nvcc -arch=sm_90 -lineinfo puts it "
                  "in."));
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
  std::uint64_t launches = 0, instructions = 0;
  for (const auto& launch : report.launches) {
    launches += launch.launches;
    instructions += launch.counts.instructions;
  }
  auto text =
      launches == 0 ? tr("no kernel was executed") : counted(launches, "{} launch", "{} launches");
  if (report.launches.size() > 1)
    text = trc("a list", "{}, {}", text,
               counted(instructions, "{} warp instruction", "{} warp instructions"));
  if (launches > 0 && report.seconds >= kLong)
    text = trc("a list", "{}, {}", text,
               tr("{:.0f} s, {:.1f} M/s", report.seconds,
                  static_cast<double>(instructions) / report.seconds / 1e6));
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
  section(findings_section(report, terminal));
  section(errors_section(report, terminal));
  section(launches_section(report, terminal, shown));
  section(notes_section(report, terminal));
  return out;
}

} // namespace course::report
