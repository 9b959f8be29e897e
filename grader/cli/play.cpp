// `course play`: what the playground of `course serve` runs. A whole program that nobody vouches
// for (it may have come by a link), compiled and run in the sandbox, with limits on all of it; the
// report of `course run` on standard output, and for the page what its editor shows and what the
// program printed, as JSON. Not listed: who has a program in a file calls `course run`.
#include "build/nvcc_messages.hpp"
#include "build/specific.hpp"
#include "cli/commands.hpp"
#include "cli/contained_run.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "cli/written_file.hpp"
#include "device/emulator/count/warp_trace.hpp"
#include "language/translate.hpp"
#include "report/editor/editor.hpp"
#include "report/json.hpp"
#include "report/launches/launches.hpp"
#include "report/trace/trace_json.hpp"
#include "system/file.hpp"
#include "system/fork.hpp"
#include "system/spent.hpp"
#include "system/temporary_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace course::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kLookAtIt = 20ms;

struct PlayOptions {
  std::string file, json;
  std::vector<std::uint32_t> block{0, 0, 0}; // whose warp the page goes through
  std::uint32_t warp = 0;
  int seconds = 60;
};

// What a page gets: its fields are in book/live/play_result.js.
struct Played {
  ExitCode code = kPassed;
  std::string report; // for the terminal
  Json facts;
};

Played not_run(ExitCode code, const std::string& why) {
  return {code, why + "\n", {{"ending", "not_run"}, {"why", why}}};
}

Played refused(const std::string& words, const report::SourceText& source) {
  // The linker says it in its own way.
  const bool no_main = words.find("undefined reference to `main'") != words.npos;
  const auto said =
      no_main ? tr("a whole program is needed, with a main() that launches the kernel") : words;
  const auto view = report::editor_view_of_compiler(said, source);
  return {kDidNotCompile,
          report::printable(no_main ? words + "\n" + said : words) + "\n",
          {{"ending", "did_not_compile"}, {"view", report::json(view)}}};
}

// Where kernels were when the run was stopped.
Json stopped_at(const report::LaunchReport& report, const std::string& path) {
  Json lines = Json::array();
  for (const auto& finding : report.findings)
    if (report::is_where_it_stopped(finding) && finding.file == path && finding.line != 0)
      lines.push_back(finding.line);
  return lines;
}

Played played(const ContainedResult& result, const emulator::WarpTrace& trace,
              const report::SourceText& source) {
  const auto& report = result.report;
  return {kPassed,
          report::launch_text(report, screen(Colour::always)),
          {{"ending", "ran"},
           {"exit_code", report.exit_code},
           {"stopped_by", report.stopped_by},
           {"stopped_at", stopped_at(report, source.path)},
           {"out", build::plain_text(result.out)},
           {"err", build::plain_text(result.err)},
           {"view", report::json(report::editor_view(report, {source}))},
           {"trace", report::json(trace, source.path)}}};
}

Played play(const PlayOptions& options, const fs::path& folder) {
  const auto place = find_workplace();
  for (const auto& what : {missing(place), missing_toolkit(place), uncontained()})
    if (!what.empty()) return not_run(kSetUp, what);
  hide_courses(find_root(std::string()));
  ContainedAsk ask;
  ask.folder = folder;
  ask.source = kOneSource;
  ask.text = text_of(options.file);
  ask.specific = build::needs_specific(ask.text);
  ask.seconds = options.seconds;
  emulator::WarpTrace trace;
  trace.block = {options.block.at(0), options.block.at(1), options.block.at(2)};
  trace.warp = options.warp;
  ask.trace = &trace;
  system::write_file(folder / kOneSource, ask.text);
  const auto result = run_contained(ask, place);
  const report::SourceText source{(folder / kOneSource).string(), ask.text};
  if (const auto* compiler = std::get_if<NotCompiled>(&result))
    return refused(compiler->words, {kOneSource, ask.text});
  if (const auto* why = std::get_if<NotStarted>(&result)) return not_run(kNotMeasurable, why->why);
  return played(std::get<ContainedResult>(result), trace, source);
}

int told(const Played& one, const PlayOptions& options, const fs::path& folder) {
  if (!options.json.empty())
    write_whole(options.json, without_folder(report::json_text(one.facts), folder));
  fmt::print("{}", without_folder(one.report, folder));
  return one.code;
}

// Kernels are executed in a process of their own, since nobody knows what memory they need.
int watched(const PlayOptions& options) {
  system::TemporaryFolder copies("course-play");
  copies.let_pass();
  const auto folder = fs::canonical(copies.path());
  const pid_t worker = system::fork_child(SIGKILL);
  if (worker < 0) return told(not_run(kSetUp, tr("no process could be started")), options, folder);
  if (worker == 0) {
    const int code = told(play(options, folder), options, folder);
    std::fflush(nullptr);
    _exit(code);
  }
  const auto end = Clock::now() + std::chrono::seconds(options.seconds) + kBeside;
  for (;;) {
    int status = 0;
    if (waitpid(worker, &status, WNOHANG) == worker)
      return WIFEXITED(status) ? WEXITSTATUS(status) : +kInternal;
    const bool too_much = system::memory_in_use(worker) > kMostMemory;
    if (too_much || Clock::now() > end) {
      kill(worker, SIGKILL); // and its keepers end what it has started
      system::await(worker);
      return told(
          not_run(kTimedOut,
                  too_much ? tr("the emulated device needed more than {} GiB of memory for it; "
                                "take smaller arrays",
                                kMostMemory >> 30)
                           : tr("it was not done in time; take fewer launches or smaller arrays")),
          options, folder);
    }
    std::this_thread::sleep_for(kLookAtIt);
  }
}

} // namespace

void add_play(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "play", "Run a program for the playground of course serve");
  command->group(""); // not listed
  const auto options = std::make_shared<PlayOptions>();
  command->add_option("--json", options->json, "Write what a page shows here")->type_name("FILE");
  command->add_option("--seconds", options->seconds, "For its run")->type_name("N");
  command->add_option("--block", options->block, "blockIdx of the warp whose requests are kept")
      ->delimiter(',')
      ->expected(3)
      ->type_name("X,Y,Z");
  command->add_option("--warp", options->warp, "Its number in the block")->type_name("W");
  command->add_option("PROGRAM", options->file, "Its text: a .cu file")->required();
  command->callback([options, &exit_code] {
    exit_code = supervised([&] {
      try {
        return watched(*options);
      } catch (const fs::filesystem_error& error) {
        return not_writable("course play", error);
      }
    });
  });
}

} // namespace course::cli
