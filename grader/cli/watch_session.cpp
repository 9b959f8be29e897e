#include "cli/watch_session.hpp"

#include "cli/chosen.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/raw_terminal.hpp"
#include "cli/screen.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/bounded.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "progress/hints.hpp"
#include "progress/meaning.hpp"
#include "progress/overview.hpp"
#include "report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <random>
#include <sys/signalfd.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using report::Ink;

constexpr int kLook = 30; // milliseconds between two looks at the files

std::vector<fs::path> files_of(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& exercise : lab::exercises(root))
    files.push_back(work_folder(root) / lab::skeleton_of(exercise));
  return files;
}

std::size_t index_of(const fs::path& root, const lab::Exercise& exercise) {
  return &exercise - lab::exercises(root).data();
}

std::string clock_time() {
  const auto now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S", &local)};
}

// The signals that change or end the session, as something to wait for beside keys.
class Signals {
public:
  Signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGWINCH, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = system::Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  int descriptor() const { return descriptor_.get(); }
  int next() const { // 0: none is waiting
    signalfd_siginfo info{};
    return read(descriptor(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                 : 0;
  }

private:
  system::Descriptor descriptor_;
};

} // namespace

WatchSession::WatchSession(Student student, const lab::Exercise& first)
    : student_(std::move(student)), exercise_(&first), place_(find_workplace()),
      files_(files_of(student_.root)), size_(screen_size()) {}

int WatchSession::run() {
  const Signals signals;
  grade();
  for (;;) {
    paint();
    std::array<pollfd, 3> waits{{{STDIN_FILENO, POLLIN, 0},
                                 {signals.descriptor(), POLLIN, 0},
                                 {waiting_ ? grading_->descriptor() : -1, POLLIN, 0}}};
    poll(waits.data(), waits.size(), kLook);
    while (const int signal = signals.next()) {
      if (signal != SIGWINCH) return 128 + signal;
      size_ = screen_size();
      painted_.clear();
      if (grading_ && !waiting_) ask();
    }
    if (waits[2].revents != 0) take_report();
    if (waits[0].revents != 0) {
      for (auto key = read_key(); !key.empty(); key = read_key())
        if (!press(key)) return kPassed;
    }
    look_for_saves();
  }
}

std::string WatchSession::last_words() const {
  return report_ ? title() + "\n\n" + report_->body : "";
}

// ---- grading

GradingProcess::Graded WatchSession::graded() const {
  const auto file = student_.work / lab::skeleton_of(*exercise_);
  const std::uint64_t seed = std::random_device{}() & 0x7fffffff;
  const auto idle = emulator::make_device({1, true});
  const auto means = lab::make_tools(place_, *idle).means;
  auto verdict = lab::grade_bounded(*exercise_, {file, seed}, means, [&] {
    const auto device = emulator::make_device(); // in that process: it may have threads
    return lab::grade(*exercise_, {file, seed}, lab::make_tools(place_, *device));
  });
  remember(student_.root, *exercise_, file, verdict);
  auto draw = [verdict, source = text_of(file)](const report::Terminal& screen, std::size_t rows) {
    return report::terminal_body(verdict, source, screen, rows);
  };
  return {std::move(verdict), std::move(draw)};
}

void WatchSession::grade() {
  grading_.reset(); // ends the one before
  grading_ = std::make_unique<GradingProcess>([this] { return graded(); });
  started_ = Clock::now();
  ask();
}

void WatchSession::ask() {
  grading_->ask(terminal(), progress::body_rows(size_));
  waiting_ = true;
  drawn_for_ = size_;
}

void WatchSession::take_report() {
  const bool again = started_ == Clock::time_point{}; // only drawn anew
  waiting_ = false;
  auto report = grading_->report();
  if (!report) {
    grading_.reset();
    trouble_ = tr("The grading came to nothing. ./course grade {} may say why.", exercise_->id);
    return;
  }
  trouble_.clear();
  report_ = std::move(report);
  if (drawn_for_ != size_) ask(); // the screen has changed meanwhile
  if (again) return;
  seconds_ = std::chrono::duration<double>(Clock::now() - started_).count();
  started_ = {};
  read_log();
}

void WatchSession::look_for_saves() {
  const auto save = files_.look(index_of(student_.root, *exercise_));
  if (!save) return;
  const auto& exercise = lab::exercises(student_.root)[save->file];
  saved_ = tr("saved at {}", clock_time());
  unchanged_ = !save->changed;
  if (!save->changed && &exercise == exercise_) return; // its verdict stands
  turn_to(exercise);
}

void WatchSession::turn_to(const lab::Exercise& exercise) {
  if (exercise_ != &exercise) report_.reset();
  exercise_ = &exercise;
  show(View::report);
  grade();
}

void WatchSession::read_log() {
  auto remembered = student_.log.read();
  if (!remembered.complaint.empty()) trouble_ = remembered.complaint;
  student_.events = std::move(remembered.events);
  student_.standings = progress::standings(lab::exercises(student_.root), student_.events);
}

// ---- keys

bool WatchSession::press(const std::string& key) {
  const long page = static_cast<long>(progress::body_rows(size_));
  if (key == "q" || key == "end") return false;
  if (key == "h") give_hint();
  if (key == "n") go_on();
  if (key == "l") show(View::list);
  if (key == "e") show(View::explanation);
  if (key == "r" || key == "escape") show(View::report);
  if (key == " " || key == "page down") scroll(page);
  if (key == "b" || key == "page up") scroll(-page);
  if (key == "j" || key == "down") scroll(1);
  if (key == "k" || key == "up") scroll(-1);
  return true;
}

void WatchSession::give_hint() {
  const auto next = progress::next_hint(student_.standings, *exercise_);
  show(View::hint);
  hint_ = next;
  auto event = progress::hint_read(*exercise_, next);
  event.time = progress::now();
  trouble_ = student_.log.append(event);
  read_log();
}

void WatchSession::go_on() {
  const auto* next = progress::after(student_.standings, exercise_->id);
  if (!next) return;
  saved_.clear();
  turn_to(*next->exercise);
}

void WatchSession::scroll(long lines) {
  const auto last = static_cast<long>(progress::last_from(page(), size_));
  from_ = std::clamp(static_cast<long>(from_) + lines, 0l, last);
}

void WatchSession::show(View view) {
  view_ = view;
  from_ = 0;
}

// ---- drawing

report::Terminal WatchSession::terminal() const {
  auto known = screen(Colour::automatic);
  known.columns = std::min(known.columns, size_.columns);
  return known;
}

void WatchSession::paint() {
  const auto text = progress::painted(page(), size_);
  if (text == painted_) return;
  draw(text);
  painted_ = text;
}

progress::Page WatchSession::page() const {
  const auto* next = progress::after(student_.standings, exercise_->id);
  const auto ink = [&](const std::string& keys) {
    return report::inked(keys, Ink::faint, terminal());
  };
  const std::string back = view_ == View::report ? "" : trc("a key", "r report") + "  ";
  const auto named = next ? trc("a key", "n next: {}", next->exercise->id) + "  " : std::string();
  const std::string plain = next ? trc("a key", "n next") + "  " : "";
  const auto hint = trc("a key", "h hint") + "  ";
  const auto others = trc("a key", "l list  e explain  q quit");
  return {title(),
          status(),
          body(),
          from_,
          {ink(back + hint + named + others), ink(back + hint + plain + others),
           ink(trc("a key", "h hint n next l list e explain q quit")),
           ink(trc("a key", "h n l e r, q: quit"))}};
}

std::string WatchSession::title() const {
  const auto screen = terminal();
  const auto name = tr("{}: {}", exercise_->id, language::of_course(exercise_->title));
  if (!report_) return report::inked(name, Ink::bold, screen);
  const auto points = tr("{} of {} points", report_->points, report_->max_points);
  const int room = screen.columns - static_cast<int>(report::columns(points)) - 2;
  const auto start = progress::cropped(name, room);
  const auto gap =
      screen.columns - static_cast<int>(report::columns(start) + report::columns(points));
  return report::inked(start, Ink::bold, screen) + std::string(std::max(gap, 2), ' ') + points;
}

std::string WatchSession::status() const {
  const auto screen = terminal();
  if (waiting_ && started_ != Clock::time_point{}) {
    const auto seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    // In steps that are worth a line over a slow connection.
    const auto elapsed = seconds < 1 ? "" : fmt::format(" {:.0f} s", seconds);
    return report::inked(tr("grading ...") + elapsed, Ink::yellow, screen);
  }
  if (!trouble_.empty()) return report::inked(trouble_, Ink::red, screen);
  if (!report_) return "";
  const bool solved = report_->ending == judge::Ending::passed;
  const bool graded = judge::is_graded(report_->ending);
  const auto& standing = student_.standings[index_of(student_.root, *exercise_)];
  const auto word = report::inked(solved                      ? trc("a screen", "Solved")
                                  : graded && standing.solved ? trc("a screen", "It stays solved")
                                  : graded                    ? trc("a screen", "Not solved yet")
                                                              : trc("a screen", "Not graded"),
                                  solved ? Ink::green : Ink::yellow, screen);
  const auto when = saved_.empty() ? tr("save labs/{}.cu to grade it again", exercise_->id)
                    : unchanged_   ? tr("{}, unchanged", saved_)
                                   : tr("{}, graded in {:.1f} s", saved_, seconds_);
  return word + "   " + report::inked(when, Ink::faint, screen);
}

std::string WatchSession::body() const {
  const auto screen = terminal();
  switch (view_) {
  case View::hint:
    return progress::hint(*exercise_, hint_, student_.root, screen);
  case View::list:
    return progress::list(student_.standings, "", screen);
  case View::explanation: {
    const auto* last = progress::last_run(student_.events, exercise_->id);
    if (!last)
      return "  " + tr("It was not graded yet, so there are no numbers to explain.") + "\n";
    return progress::explain(*exercise_, last->run, progress::chapter_of(*exercise_, student_.root),
                             screen);
  }
  case View::report:
    break;
  }
  return report_ ? report_->body : "";
}

} // namespace course::cli
