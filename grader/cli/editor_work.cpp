#include "cli/editor_work.hpp"
#include "cli/chosen.hpp"
#include "cli/exit_codes.hpp"
#include "cli/lsp/program_text.hpp"
#include "cli/project.hpp"
#include "cli/student.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/bounded.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "progress/hints.hpp"
#include "report/json.hpp"
#include "system/file.hpp"
#include "system/fork.hpp"
#include "system/program.hpp"
#include "system/stream.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPrinted = 64 * 1024; // bytes that an editor's log gets
constexpr int kMostPieces = 16;                 // that are read at a time

// The exercise that a file is the student's own of, and its course. Nothing for other files.
struct Own {
  fs::path root;
  const lab::Exercise* exercise = nullptr;
};

std::optional<Own> own_exercise(const fs::path& file) {
  const auto above = find_root(std::nullopt, file, file.parent_path());
  const auto root = above ? find_root(above->string()) : std::nullopt;
  if (!root) return std::nullopt;
  std::error_code none;
  for (const auto& exercise : lab::exercises(*root))
    if (fs::equivalent(file, *root / lab::skeleton_of(exercise), none))
      return Own{*root, &exercise};
  return std::nullopt;
}

report::EditorView troubled(const std::string& what) {
  report::EditorView view;
  view.trouble = what;
  return view;
}

GradingProcess::Graded drawn(judge::Verdict verdict, const report::EditorView& view) {
  const auto text = report::json_text(report::json(view));
  return {std::move(verdict), [text](const report::Terminal&, std::size_t) { return text; }};
}

// In the grading process.
GradingProcess::Graded graded(const std::string& path, bool remembered) {
  const auto own = own_exercise(path);
  if (!own) return drawn({}, troubled(tr("This is no exercise any more.")));
  const auto place = find_workplace();
  if (const auto what = missing(place); !what.empty() && place.toolkit)
    return drawn({}, troubled(what));
  if (const auto what = uncontained(); !what.empty()) return drawn({}, troubled(what));
  const std::uint64_t seed = std::random_device{}() & 0x7fffffff;
  const auto source = text_of(path);
  const auto idle = emulator::make_device({1, true});
  const auto means = lab::make_tools(place, *idle).means;
  auto verdict = lab::grade_bounded(*own->exercise, {path, seed}, means, [&] {
    const auto device = emulator::make_device(); // in that process: it may have threads
    return lab::grade(*own->exercise, {path, seed}, lab::make_tools(place, *device));
  });
  if (remembered)
    remember(own->root, *own->exercise, path, verdict);
  else
    tell_standing(own->root, *own->exercise, path, verdict);
  const auto view = report::editor_view(verdict, source);
  return drawn(std::move(verdict), view);
}

// Ends course run at once, and with it what it has started: the second signal does not wait for its
// last words (supervised.hpp).
void end_run(pid_t process) {
  kill(process, SIGINT);
  kill(process, SIGTERM);
  system::await(process);
}

} // namespace

// ---- a program

RunProcess::RunProcess(std::string source, fs::path view, std::vector<std::string> words)
    : source_(std::move(source)), view_(std::move(view)) {
  std::error_code none;
  fs::remove(view_, none);
  words.insert(words.begin(), {"course", "run", "--color", "never", "--editor", view_.string()});
  words.push_back(source_);
  auto pipe = system::make_pipe();
  if (!pipe) return;
  output_ = std::move(pipe->read);
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  const int theirs = pipe->write.get();
  process_ = system::start_with_parent(
      {.words = std::move(words),
       .file = "/proc/self/exe",
       .descriptors = {{STDIN_FILENO, -1}, {STDOUT_FILENO, theirs}, {STDERR_FILENO, theirs}}},
      SIGTERM);
}

RunProcess::~RunProcess() {
  if (process_ > 0) end_run(process_);
}

bool RunProcess::over() {
  std::array<char, 65536> piece;
  for (int pieces = 0; pieces < kMostPieces; ++pieces) { // an editor may have something to say, too
    const auto got = read(output_.get(), piece.data(), piece.size());
    if (got == 0) return true;
    if (got < 0) return errno != EAGAIN && errno != EINTR;
    const auto room = kMostPrinted - printed_.size();
    printed_.append(piece.data(), std::min(static_cast<std::size_t>(got), room));
  }
  return false;
}

report::EditorView RunProcess::view() {
  const int status = process_ > 0 ? system::await(process_) : 0;
  process_ = -1;
  if (const auto text = system::content_of(view_)) return report::editor_view_of(*text);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kInternal;
  if (code == kDidNotCompile)
    return report::editor_view_of_compiler(printed_, {source_, text_of(source_)});
  return troubled(tr("course run ended with exit code {}: {}", code, printed_));
}

// ---- what the language server asks for

Workshop::Kind EditorWork::kind_of(const std::string& path) {
  if (!path.ends_with(".cu")) return Kind::other;
  try {
    if (own_exercise(path)) return Kind::exercise;
  } catch (const std::exception&) { // a folder labs/ that is no course's, or that nobody may read
  }
  return has_main(text_of(path)) ? Kind::program : Kind::other;
}

void EditorWork::begin(const Task& task) {
  end();
  if (task.what == Task::What::run) {
    run_ = std::make_unique<RunProcess>(task.path, views_.path() / "view.json", run_words_);
    return;
  }
  grading_ = std::make_unique<GradingProcess>([&] {
    try {
      return graded(task.path, task.remembered);
    } catch (const std::exception& error) {
      return drawn({}, troubled(error.what()));
    }
  });
  grading_->ask({}, 0);
}

void EditorWork::end() {
  grading_.reset();
  run_.reset();
}

std::string EditorWork::next_hint(const std::string& path) {
  try {
    const auto own = own_exercise(path);
    if (!own) return tr("This is no exercise any more.");
    auto student = find_student(own->root.string());
    if (const auto* what = std::get_if<std::string>(&student)) return *what;
    const auto& of = std::get<Student>(student);
    const auto number = progress::next_hint(of.standings, *own->exercise);
    remember(of.log, progress::hint_read(*own->exercise, number));
    return progress::hint(*own->exercise, number, of.root, {80, false});
  } catch (const std::exception& error) {
    return error.what();
  }
}

int EditorWork::descriptor() const {
  return grading_ ? grading_->descriptor() : run_ ? run_->descriptor() : -1;
}

std::optional<EditorWork::Done> EditorWork::look() {
  if (grading_) {
    const auto report = grading_->report();
    grading_.reset();
    return Done{report ? report::editor_view_of(report->body)
                       : troubled(tr("The grading came to nothing. course grade may say why.")),
                ""};
  }
  if (!run_ || !run_->over()) return std::nullopt;
  Done done{run_->view(), run_->printed()};
  run_.reset();
  return done;
}

} // namespace course::cli
