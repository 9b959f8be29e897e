#include "cli/progress_line.hpp"

#include "cli/screen.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "report/profile/source_view.hpp"
#include "report/text.hpp"
#include "system/stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace course::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 500ms;
constexpr auto kBetweenLines = 10s; // of a log
constexpr auto kPause = 20ms;       // in what a program prints, before the line is put back
constexpr auto kDrain = 50ms;       // for what an ended program wrote to arrive
constexpr double kFirst = 1;        // second: shorter runs need no line
constexpr double kEstimateFrom = 2; // seconds of a launch, before which its end is a guess

bool same_terminal() {
  struct stat output {
  }, errors{};
  return isatty(STDOUT_FILENO) && fstat(STDOUT_FILENO, &output) == 0 &&
         fstat(STDERR_FILENO, &errors) == 0 && output.st_rdev == errors.st_rdev;
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 120) return tr("{} s", whole);
  if (whole < 7200) return tr("{} min", (whole + 30) / 60);
  return tr("{} h", (whole + 1800) / 3600);
}

} // namespace

std::string ProgressText::at(double seconds, const device::Pace& pace, int columns) {
  const std::uint64_t launches = pace.launches, blocks = pace.blocks, done = pace.blocks_done;
  const auto instructions = pace.all_instructions();
  if (launches == 0 && blocks == 0) return "";
  // Another launch, or the same from its beginning.
  if (launches != launches_ || done < blocks_done_) launch_began_ = seconds;
  if (seconds > before_ && instructions >= instructions_)
    rate_ = static_cast<double>(instructions - instructions_) / (seconds - before_);
  launches_ = launches;
  blocks_done_ = done;
  instructions_ = instructions;
  before_ = seconds;

  const std::uint64_t begun = launches + (blocks > 0 ? 1 : 0);
  std::string text = trn("{}: {} launch, {} warp instructions, {}/s",
                         "{}: {} launches, {} warp instructions, {}/s", begun, duration(seconds),
                         report::compact(begun), report::compact(instructions),
                         report::compact(static_cast<std::uint64_t>(rate_)));
  const double of_launch = seconds - launch_began_;
  if (blocks > 1 && of_launch >= kEstimateFrom) {
    text += tr("; block {} of {}", report::compact(done), report::compact(blocks));
    if (done > 0 && done < blocks)
      text +=
          tr(", {} left of this launch",
             duration(of_launch * static_cast<double>(blocks - done) / static_cast<double>(done)));
  }
  return std::string(language::head(text, static_cast<std::size_t>(std::max(columns, 0))));
}

ProgressLine::ProgressLine(const device::Pace& pace, bool wanted) : pace_(pace) {
  termios how{};
  if (!wanted) return;
  if (!can_rewrite_a_line() || tcgetattr(STDERR_FILENO, &how) != 0) {
    thread_ = std::thread([this] { run_in_log(); });
    return;
  }
  how.c_oflag &= ~static_cast<tcflag_t>(OPOST); // the terminal does that itself
  winsize size{};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
  int ours = -1, theirs = -1;
  if (openpty(&ours, &theirs, nullptr, &how, &size) != 0) return;
  ours_ = system::Descriptor(ours);
  theirs_ = system::Descriptor(theirs);
  // The program gets copies at 1 and 2, and no others.
  for (const int end : {ours, theirs}) fcntl(end, F_SETFD, FD_CLOEXEC);
  errors_ = theirs;
  if (same_terminal()) output_ = theirs;
  to_ = STDERR_FILENO;
  thread_ = std::thread([this] { run(); });
}

void ProgressLine::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  theirs_.reset();
  thread_.join();
}

void ProgressLine::run_in_log() {
  constexpr int kColumns = 100;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kBetweenLines, [this] { return over_.load(); })) {
    const auto text =
        text_.at(std::chrono::duration<double>(Clock::now() - began_).count(), pace_, kColumns);
    if (!text.empty()) system::write_all(STDERR_FILENO, "course run: " + text + "\n");
  }
}

void ProgressLine::run() {
  auto next = began_ + kTick;
  while (!over_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    bool any = pass_on(std::clamp(left, 0ms, kTick));
    while (any && !over_ && pass_on(kPause)) {
    }
    const auto now = Clock::now();
    if (now >= next) {
      look(std::chrono::duration<double>(now - began_).count());
      next = now + kTick;
      any = true;
    }
    if (any && !over_) draw();
  }
  while (pass_on(kDrain)) {
  }
  take_away();
}

bool ProgressLine::pass_on(std::chrono::milliseconds wait) {
  pollfd input{ours_.get(), POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(wait.count())) <= 0 || !(input.revents & POLLIN))
    return false;
  std::array<char, 16 << 10> bytes;
  const auto got = read(ours_.get(), bytes.data(), bytes.size());
  if (got <= 0) return false;
  take_away();
  system::write_all(to_, {bytes.data(), static_cast<std::size_t>(got)});
  at_line_start_ = bytes[static_cast<std::size_t>(got) - 1] == '\n';
  return true;
}

void ProgressLine::look(double seconds) {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) ioctl(ours_.get(), TIOCSWINSZ, &size);
  const int room = (size.ws_col > 0 ? size.ws_col : 80) - 3; // the last column makes some wrap
  line_ = text_.at(seconds, pace_, room);
  if (seconds < kFirst) line_.clear();
}

void ProgressLine::draw() {
  if (line_.empty() || !at_line_start_) return;
  system::write_all(to_, "\r  " + line_ + "\033[K");
  drawn_ = true;
}

void ProgressLine::take_away() {
  if (drawn_) system::write_all(to_, "\r\033[K");
  drawn_ = false;
}

} // namespace course::cli
