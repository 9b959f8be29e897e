#include "cli/mcp_work.hpp"

#include "build/own_program.hpp"
#include "build/specific.hpp"
#include "cli/contained_run.hpp"
#include "cli/project.hpp"
#include "language/translate.hpp"
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

constexpr std::size_t kMostAnswer = 4u << 20; // bytes

std::variant<mcp::WorkingFolder::Gathered, Answer>
gathered(const mcp::WorkingFolder& folder, const ProgramAsk& ask, const fs::path& copies) {
  if (ask.source) {
    system::write_file(copies / kOneSource, *ask.source);
    return mcp::WorkingFolder::Gathered{
        kOneSource, *ask.source, build::needs_specific(*ask.source), {}};
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

  ContainedAsk contained;
  contained.folder = copies;
  contained.source = source.source;
  contained.text = source.text;
  contained.specific = source.specific;
  contained.arguments = ask.arguments;
  if (ask.as_written)
    contained.flags.assign(std::begin(build::kAsWrittenFlags), std::end(build::kAsWrittenFlags));
  for (const auto& macro : ask.define) contained.flags.push_back("-D" + macro);
  contained.banks = ask.banks;
  contained.checks = ask.checks;
  contained.sample = ask.sample;
  contained.seconds = ask.seconds;
  auto result = run_contained(contained, place);
  if (const auto* compiler = std::get_if<NotCompiled>(&result))
    return not_compiled(compiler->words, source);
  if (const auto* why = std::get_if<NotStarted>(&result)) return mcp::refusal(why->why);
  auto& run = std::get<ContainedResult>(result);
  if (ask.line)
    return mcp::trace_answer(run.report, ask, source.source.string(), quotes ? source.text : "");
  return mcp::run_answer(run.report, ask, {std::move(run.out), std::move(run.err)});
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
