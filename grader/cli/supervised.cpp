#include "cli/supervised.hpp"

#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "lab/exercise_file.hpp"
#include "language/translate.hpp"
#include "system/environment.hpp"
#include "system/fork.hpp"
#include "system/remove_folder.hpp"
#include "system/stream.hpp"
#include "system/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 3s;     // for processes that were told to end
constexpr auto kOneSignal = 500ms; // the same again is the same

// A folder for temporary files, of this process and of what it starts.
class OwnTemporaryFolder {
public:
  OwnTemporaryFolder() : folder_("course-grading"), old_(system::environment("TMPDIR")) {
    folder_.let_pass(); // programs of another user have to
    setenv("TMPDIR", path().c_str(), 1);
  }
  OwnTemporaryFolder(const OwnTemporaryFolder&) = delete; // TMPDIR is set back once
  ~OwnTemporaryFolder() {
    if (old_) {
      setenv("TMPDIR", old_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }
  const fs::path& path() const { return folder_.path(); }

private:
  system::TemporaryFolder folder_;
  std::optional<std::string> old_;
};

// A process of its own session that removes a folder when all others that know of it have been
// killed (SIGKILL, which a whole group may get). Without a folder there is none.
class Guardian {
public:
  explicit Guardian(const fs::path& folder) {
    auto alive = folder.empty() ? std::nullopt : system::make_pipe();
    if (!alive) return;
    if (system::fork_child(0) == 0) {
      setsid();
      dup2(alive->read.get(), STDIN_FILENO);
      close_range(STDOUT_FILENO, ~0u, 0); // nobody waits for the end of what it holds
      char nothing = 0;
      while (read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
      }
      system::remove_folder(folder);
      _exit(0);
    }
    alive_ = std::move(alive->write);
  }

private:
  system::Descriptor alive_; // the child has it as well
};

// The signals that end this process, held back so that they can be waited for.
class HeldSignals {
public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&held_, signal);
    auto blocked = held_;
    sigaddset(&blocked, SIGUSR1); // by which a child is told
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  HeldSignals(const HeldSignals&) = delete; // the mask is restored once
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { release(); }

  void release() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  int wait() const {
    int signal = 0;
    sigwait(&held_, &signal);
    return signal;
  }
  // 0: none came in this time.
  int wait(std::chrono::seconds time) const {
    const timespec most{time.count(), 0};
    return std::max(sigtimedwait(&held_, nullptr, &most), 0);
  }

private:
  sigset_t held_{}, before_{};
};

int crashed(int signal) {
  if (signal == SIGPIPE) return 128 + SIGPIPE; // who read our output has gone
  const auto what = tr("the grader itself was ended by signal {} ({}). Your file is not to blame; "
                       "please report how it came to this.",
                       signal, strsignal(signal));
  std::fprintf(stderr, "course: %s\n", what.c_str());
  return kInternal;
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  for (pid_t child; file >> child;) found.push_back(child);
  return found;
}

// Orphans of the work are children of this process, a subreaper; so are theirs, once they end.
void end_orphans() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (bool killing = false; !children().empty();) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const bool late = std::chrono::steady_clock::now() > deadline;
    if (late && killing) return; // asleep in the kernel: not ours to wait for
    killing = true;
    for (const pid_t child : children()) kill(child, SIGKILL);
    std::this_thread::sleep_for(1ms);
  }
}

int run(const std::function<int()>& work) {
  int code = kInternal;
  try {
    code = work();
  } catch (const lab::CourseError& error) {
    say_wrong("course", error.what());
    code = kSetUp;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "course: %s\n", error.what());
  }
  std::fflush(nullptr);
  return code;
}

// Waits for the child, or for a signal that ends it: the first, or the one after those last words.
int await(pid_t child, const HeldSignals& signals, bool has_last_words) {
  int told = 0;
  std::chrono::steady_clock::time_point when;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child && WIFEXITED(status)) return WEXITSTATUS(status);
    if (ended == child && WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      const bool meant =
          signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
      return meant ? 128 + signal : crashed(signal); // Ctrl-C goes to both of us
    }
    const int signal = told ? signals.wait(kLastWords) : signals.wait();
    if (signal == SIGCHLD) continue;
    if (has_last_words && !told) {
      told = signal;
      when = std::chrono::steady_clock::now();
      sigqueue(child, SIGUSR1, sigval{.sival_int = signal});
      continue;
    }
    // timeout(1) sends its signal twice, to the process and to its group.
    if (signal == told && std::chrono::steady_clock::now() - when < kOneSignal) continue;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return 128 + (signal ? signal : told);
  }
}

// Of the child; with `last_words` it keeps the signals that end it blocked.
int supervised_child(const std::function<int()>& work, bool last_words) {
  std::fflush(nullptr);
  const HeldSignals signals; // released last: a second Ctrl-C may wait, and would end us at once
  const OwnTemporaryFolder folder;
  const Guardian guardian(last_words ? folder.path() : fs::path());
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t child = system::fork_child(SIGKILL);
  if (child < 0) {
    const auto what = tr("no process can be started: {}", std::strerror(errno));
    std::fprintf(stderr, "course: %s\n", what.c_str());
    return kSetUp;
  }
  if (child == 0) {
    if (!last_words) signals.release();
    _exit(run(work));
  }
  const int code = await(child, signals, last_words);
  end_orphans();
  return code;
}

} // namespace

int supervised(const std::function<int()>& work) {
  return supervised_child(work, false);
}

int supervised(const std::function<int(ToldToEnd&)>& work) {
  return supervised_child(
      [&work] {
        static ToldToEnd told; // as long as the process, for its thread
        return work(told);
      },
      true);
}

ToldToEnd::ToldToEnd() : parent_(getppid()) {
  std::thread([this] { wait(); }).detach();
}

void ToldToEnd::call(std::function<void(int)> then) {
  const std::lock_guard lock(mutex_);
  then_ = std::move(then);
}

void ToldToEnd::wait() {
  sigset_t words;
  sigemptyset(&words);
  sigaddset(&words, SIGUSR1);
  for (;;) {
    siginfo_t word{};
    if (sigwaitinfo(&words, &word) < 0) continue;
    if (word.si_code != SI_QUEUE || word.si_pid != parent_) continue;
    const std::lock_guard lock(mutex_);
    if (!then_) _exit(128 + word.si_value.sival_int);
    then_(word.si_value.sival_int);
    then_ = [](int) {};
  }
}

} // namespace course::cli
