// `course trace`: the requests of one line, step by step.
#include "report/trace/trace.hpp"
#include "cli/commands.hpp"
#include "cli/executed_again.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/written_file.hpp"
#include "language/translate.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <set>

namespace course::cli {
namespace {

struct TraceOptions {
  LookOptions look;
  std::uint32_t line = 0;
  std::string svg;
  std::vector<std::uint32_t> block; // x, y, z
  std::optional<std::uint32_t> warp;
};

// The lines of the file that have requests, for who asked for another.
std::string lines_with_requests(const LookedAt& seen) {
  std::set<std::uint32_t> lines;
  for (const auto& row : seen.look.seen.lines)
    if (std::filesystem::path(row.file).filename() == seen.file.filename()) lines.insert(row.line);
  std::string text;
  for (const auto line : lines) text += (text.empty() ? "" : ", ") + std::to_string(line);
  return text;
}

// The line that failed, or else the one whose requests cost most. 0: there is none in the file.
std::uint32_t telling_line(const LookedAt& seen, const std::string& file) {
  for (const auto& check : seen.look.verdict.checks) {
    const auto line = check.place.line;
    const bool failed = check.status == judge::Status::failed && line != 0;
    if (failed && lab::telling_access(seen.look.seen, file, line)) return line;
  }
  const auto* telling = lab::telling_access(seen.look.seen, file, 0);
  return telling ? telling->line : 0;
}

// The warp that was asked for, or else the one with the request that costs most.
device::Watch watch_for(const device::LineCounts& telling, const TraceOptions& options) {
  device::Watch watch;
  watch.line = telling.line;
  watch.file = telling.file;
  watch.block = telling.worst.block;
  watch.warp = telling.worst.warp;
  if (!options.block.empty()) {
    const auto at = [&](std::size_t i) { return i < options.block.size() ? options.block[i] : 0; };
    watch.block = {at(0), at(1), at(2)};
    watch.warp = 0;
  }
  if (options.warp) watch.warp = *options.warp;
  return watch;
}

int show(LookedAt& seen, TraceOptions options) {
  const auto file = seen.file.filename().string();
  if (options.line == 0) options.line = telling_line(seen, file);
  const auto* telling = lab::telling_access(seen.look.seen, file, options.line);
  if (!telling) {
    const auto lines = lines_with_requests(seen);
    return complain("course trace", kUsage,
                    lines.empty() ? tr("the kernel makes no request to memory in {}", file)
                                  : tr("no request to memory is made at {}:{}. There are "
                                       "some at lines {}",
                                       file, options.line, lines));
  }
  auto job = *seen.look.job;
  job.watch = watch_for(*telling, options);
  auto observed = seen.device.execute(job);
  const auto& block = job.watch.block;
  if (observed.watched.empty())
    return complain("course trace", kUsage,
                    tr("warp {} of block ({}, {}, {}) makes no request at {}:{}; "
                       "without --block and --warp, one that does is taken",
                       job.watch.warp, block.x, block.y, block.z, file, options.line));
  const report::Trace trace{file,
                            options.line,
                            seen.source,
                            block,
                            job.watch.warp,
                            std::move(observed.watched),
                            observed.watched_in_all};
  fmt::print("{}", report::trace_text(trace, screen(Colour::automatic)));
  if (options.svg.empty()) return kPassed;
  try {
    write_whole(options.svg, report::trace_svg(trace));
  } catch (const std::filesystem::filesystem_error& error) {
    return complain("course trace", kSetUp,
                    tr("{} cannot be written: {}", options.svg, error.code().message()));
  }
  return kPassed;
}

} // namespace

void add_trace(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "trace", "The memory requests of one line, step by step");
  const auto options = std::make_shared<TraceOptions>();
  command->footer(
      "Without --block and --warp it is the warp with the most costly request of the "
      "largest execution.\n\nExamples:\n"
      "  course trace                                 what failed in your last grading\n"
      "  course trace 2_pad --line 29                 lanes, words, banks\n"
      "  course trace 2_pad --line 29 --svg pad.svg   the same as a picture\n"
      "  course trace 2_pad --line 30 --solution --block 1,0 --warp 3\n");
  auto& look = options->look;
  command->add_option("EXERCISE", look.exercise,
                      "As for course grade; the one graded last by default");
  command
      ->add_option("--line", options->line,
                   "Of the file; the one that failed by default, else "
                   "the one whose requests cost most")
      ->type_name("N");
  command->add_option("--svg", options->svg, "Write a picture here as well")->type_name("FILE");
  command->add_flag("--solution", look.solution, "The course's solution");
  command->add_option("--file", look.file, "Another file, as that exercise")->type_name("FILE");
  command->add_option("--block", options->block, "blockIdx, as x,y,z")
      ->delimiter(',')
      ->expected(1, 3)
      ->type_name("X,Y,Z");
  command->add_option("--warp", options->warp, "Number of the warp in its block")->type_name("W");
  command->add_option("--root", look.root, "The course's folder")->type_name("FOLDER");
  command->callback([options, &exit_code] {
    exit_code =
        look_at("trace", options->look, [&](LookedAt& seen) { return show(seen, *options); });
  });
}

} // namespace course::cli
