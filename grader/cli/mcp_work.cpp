#include "cli/mcp_work.hpp"

#include "build/own_program.hpp"
#include "build/specific.hpp"
#include "cli/exit_codes.hpp"
#include "cli/program_words.hpp"
#include "cli/project.hpp"
#include "cli/run_report.hpp"
#include "device/emulator/emulator.hpp"
#include "language/translate.hpp"
#include "runtime/contained_program.hpp"
#include "system/file.hpp"
#include "system/fork.hpp"
#include "system/spent.hpp"
#include "system/stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace course::cli {
namespace {

using namespace std::chrono_literals;
using mcp::Answer;
using mcp::ProgramAsk;
namespace fs = std::filesystem;

constexpr std::uint64_t kMostMemory = 2ull << 30; // bytes in use, of the process that executes
constexpr std::uint64_t kMostDeviceMemory = 8ull << 30; // that a program allocates
constexpr std::size_t kMostAnswer = 4u << 20;           // bytes
constexpr auto kBeside = 150s; // for nvcc, and for what the emulated device does beside launches
constexpr const char* kSource = "program.cu"; // the name of a text that came without one

sandbox::Limits host_limits(const ProgramAsk& ask) {
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

std::string ended_by(const runtime::ContainedRun& run, const ProgramAsk& ask) {
  using End = sandbox::Outcome::End;
  if (run.too_late) return fmt::format("seconds: {}", ask.seconds);
  switch (run.outcome.end) {
  case End::cpu_time:
    return fmt::format("its host code's limit of {} s of processor time", ask.seconds);
  case End::memory:
    return "its host code's limit of 1 GiB of memory";
  case End::output:
    return "the limit of 256 KiB that it may print";
  case End::file_size:
    return "the limit of 64 MiB for a file that it writes";
  default:
    return run.live.stopped ? "a limit" : "";
  }
}

std::variant<mcp::WorkingFolder::Gathered, Answer>
gathered(const mcp::WorkingFolder& folder, const ProgramAsk& ask, const fs::path& copies) {
  if (ask.source) {
    system::write_file(copies / kSource, *ask.source);
    return mcp::WorkingFolder::Gathered{
        kSource, *ask.source, build::needs_specific(*ask.source), {}};
  }
  auto result = folder.gather(*ask.file, copies);
  if (const auto* refused = std::get_if<mcp::WorkingFolder::Refused>(&result))
    return mcp::refusal(refused->why);
  return std::get<mcp::WorkingFolder::Gathered>(std::move(result));
}

Answer not_compiled(const std::string& text, const mcp::WorkingFolder::Gathered& program) {
  auto what = "nvcc did not compile it:\n" + text;
  if (text.find("undefined reference to `main'") != text.npos)
    what +=
        "\nA whole program is needed, with a main(). To try one kernel, write a main() around it "
        "that allocates its arrays, launches it and checks what it wrote. A file of an exercise is "
        "graded by course grade.";
  if (!program.left_out.empty())
    what += fmt::format("\nNot given to nvcc: {}.", fmt::join(program.left_out, "; "));
  return mcp::refusal(what);
}

// In the process that works. What is wrong is an answer, too.
Answer worked(const mcp::WorkingFolder& folder, const ProgramAsk& ask, const fs::path& copies,
              bool quotes) {
  const auto place = find_workplace();
  for (const auto& what : {missing(place), missing_toolkit(place), uncontained()})
    if (!what.empty()) return mcp::refusal(what);
  auto sources = gathered(folder, ask, copies);
  if (auto* refused = std::get_if<Answer>(&sources)) return std::move(*refused);
  const auto& source = std::get<mcp::WorkingFolder::Gathered>(sources);

  std::vector<std::string> flags;
  if (ask.as_written)
    flags.assign(std::begin(build::kAsWrittenFlags), std::end(build::kAsWrittenFlags));
  for (const auto& macro : ask.define) flags.push_back("-D" + macro);
  const auto built =
      build::build_contained_program(*place.toolkit, copies, source.source, source.specific, flags);
  if (const auto* rejected = std::get_if<build::Rejected>(&built))
    return not_compiled(rejected->text, source);
  const auto& file = std::get<fs::path>(built);
  if (const auto why = runtime::why_not_runnable(file, place.host.runtime))
    return mcp::refusal("it cannot be run here: " + in_words(*why));

  emulator::Options how;
  how.banks = model::architecture_named(ask.banks);
  how.check_memory = ask.checks;
  how.sample = ask.sample;
  const auto device = emulator::make_live(how);
  runtime::ContainedProgram program;
  program.file = file;
  program.arguments = ask.arguments;
  program.runtime = place.host.runtime;
  program.source = source.text;
  program.limits = host_limits(ask);
  program.memory = kMostDeviceMemory;
  program.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(ask.seconds);
  const auto run = runtime::run_contained(program, *device);
  if (run.live.end == runtime::LiveRun::End::not_started)
    return mcp::refusal("the program could not be started: " + run.live.reason);
  auto report = report_on(run.live, *device,
                          {source.source.string(), ask.banks, exit_code_of(run.live), ask.checks});
  report.stopped_by = ended_by(run, ask);
  if (ask.line)
    return mcp::trace_answer(report, ask, source.source.string(), quotes ? source.text : "");
  return mcp::run_answer(report, ask, {run.outcome.out, run.outcome.err});
}

// Paths of copies are those of the working folder; the folder of copies is nobody's business.
std::string without_folder(std::string text, const fs::path& copies) {
  const auto prefix = copies.string() + "/";
  for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

[[noreturn]] void work(const mcp::WorkingFolder& folder, const ProgramAsk& ask,
                       const fs::path& copies, bool quotes, int to) {
  // What is printed by mistake must not be taken for a message.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  const language::InEnglish for_programs;
  Answer answer;
  try {
    answer = worked(folder, ask, copies, quotes);
  } catch (const std::exception& error) {
    answer = mcp::refusal(std::string("it could not be run here: ") + error.what());
  }
  system::write_all(to, without_folder(mcp::to_text(answer), copies));
  _exit(0);
}

} // namespace

void McpWork::begin(const ProgramAsk& ask) {
  end();
  auto pipe = system::make_pipe();
  if (pipe) {
    copies_.emplace("course-mcp");
    copies_->let_pass();
    const auto copies = fs::canonical(copies_->path());
    process_ = system::fork_child(SIGKILL);
    if (process_ == 0) work(folder_, ask, copies, quotes_, pipe->write.get());
  }
  failed_ = process_ < 0;
  if (failed_) return;
  words_ = std::move(pipe->read);
  fcntl(words_.get(), F_SETFL, O_NONBLOCK);
  most_ = std::chrono::steady_clock::now() + std::chrono::seconds(ask.seconds) + kBeside;
}

void McpWork::end() {
  if (process_ > 0) {
    kill(process_, SIGKILL); // and its keepers end what it has started
    system::await(process_);
  }
  process_ = -1;
  failed_ = false;
  words_.reset();
  so_far_.clear();
  copies_.reset();
}

std::optional<Answer> McpWork::look() {
  const auto ended = [this](Answer answer) {
    end();
    return answer;
  };
  if (failed_) return ended(mcp::refusal("no process could be started; call again later"));
  if (process_ <= 0) return std::nullopt;
  std::array<char, 65536> piece;
  for (;;) {
    const auto got = read(words_.get(), piece.data(), piece.size());
    if (got > 0) {
      so_far_.append(piece.data(), static_cast<std::size_t>(got));
      if (so_far_.size() > kMostAnswer) return ended(mcp::refusal("the answer was too large"));
      continue;
    }
    if (got == 0) return ended(mcp::answer_of(so_far_));
    if (errno == EINTR) continue;
    break;
  }
  if (system::memory_in_use(process_) > kMostMemory)
    return ended(
        mcp::refusal(fmt::format("the emulated device needed more than {} GiB of memory for "
                                 "it; use smaller arrays, or sample",
                                 kMostMemory >> 30)));
  if (std::chrono::steady_clock::now() > most_)
    return ended(mcp::refusal("it was not done in time; use fewer launches or smaller arrays"));
  return std::nullopt;
}

} // namespace course::cli
