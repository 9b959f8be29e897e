#include "cli/contained_run.hpp"

#include "build/own_program.hpp"
#include "cli/exit_codes.hpp"
#include "cli/program_words.hpp"
#include "cli/run_report.hpp"
#include "device/emulator/emulator.hpp"
#include "language/translate.hpp"
#include "runtime/contained_program.hpp"

#include <chrono>

namespace course::cli {
namespace {

constexpr std::uint64_t kMostDeviceMemory = 8ull << 30; // bytes that a program allocates

sandbox::Limits host_limits(const ContainedAsk& ask) {
  sandbox::Limits limits;
  limits.cpu = std::chrono::seconds(ask.seconds);
  limits.output = 256u << 10;
  return limits;
}

// As a shell gives it.
int exit_code_of(const runtime::LiveRun& run) {
  if (run.stopped) return kTimedOut;
  return run.end == runtime::LiveRun::End::signalled ? 128 + run.code : run.code;
}

std::string ended_by(const runtime::ContainedRun& run, const ContainedAsk& ask) {
  using End = sandbox::Outcome::End;
  if (run.too_late) return tr("the limit of {} s", ask.seconds);
  switch (run.outcome.end) {
  case End::cpu_time:
    return tr("its host code's limit of {} s of processor time", ask.seconds);
  case End::memory:
    return tr("its host code's limit of 1 GiB of memory");
  case End::output:
    return tr("the limit of 256 KiB that it may print");
  case End::file_size:
    return tr("the limit of 64 MiB for a file that it writes");
  default:
    return run.live.stopped ? tr("a limit") : "";
  }
}

} // namespace

std::variant<ContainedResult, NotCompiled, NotStarted> run_contained(const ContainedAsk& ask,
                                                                     const lab::Workplace& place) {
  const auto built = build::build_contained_program(*place.toolkit, *place.host.gpu, ask.folder,
                                                    ask.source, ask.specific, ask.flags);
  if (const auto* rejected = std::get_if<build::Rejected>(&built))
    return NotCompiled{rejected->text};
  const auto& file = std::get<std::filesystem::path>(built);
  if (const auto why = runtime::why_not_runnable(file, place.host.runtime, *place.host.gpu))
    return NotStarted{tr("it cannot be run here: {}", in_words(*why))};

  emulator::Options how;
  how.gpu = place.host.gpu;
  how.banks = model::architecture_named(ask.banks);
  how.check_memory = ask.checks;
  how.sample = ask.sample;
  how.lenient = true;
  how.trace = ask.trace;
  const auto device = emulator::make_live(how);
  runtime::ContainedProgram program;
  program.file = file;
  program.arguments = ask.arguments;
  program.runtime = place.host.runtime;
  program.source = ask.text;
  program.limits = host_limits(ask);
  program.memory = kMostDeviceMemory;
  program.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(ask.seconds);
  auto run = runtime::run_contained(program, *device);
  if (run.live.end == runtime::LiveRun::End::not_started)
    return NotStarted{tr("the program could not be started: {}", run.live.reason)};
  ContainedResult result;
  result.report = report_on(run.live, *device,
                            {ask.source.string(), ask.banks, exit_code_of(run.live), ask.checks});
  result.report.stopped_by = ended_by(run, ask);
  result.out = std::move(run.outcome.out);
  result.err = std::move(run.outcome.err);
  return result;
}

std::string without_folder(std::string text, const std::filesystem::path& folder) {
  const auto prefix = folder.string() + "/";
  for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

} // namespace course::cli
