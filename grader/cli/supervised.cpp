#include "cli/supervised.hpp"

#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "lab/exercise_file.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
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

constexpr auto kPatience = 3s; // for processes that were told to end

// A folder for temporary files. Programs of another user have to pass through it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = fs::temp_directory_path() / "course-grading-XXXXXX";
    if (!mkdtemp(name.data()) || chmod(name.c_str(), 0711) != 0)
      throw fs::filesystem_error("cannot make a folder for temporary files", name,
                                 std::error_code(errno, std::generic_category()));
    path_ = name;
    const char* old = std::getenv("TMPDIR");
    if (old) old_ = old;
    setenv("TMPDIR", path_.c_str(), 1);
  }
  TemporaryFolder(const TemporaryFolder&) = delete; // two would remove one folder
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (fs::exists(path_, ignored)) { // someone took away the right to empty a folder
      for (const auto& entry : fs::recursive_directory_iterator(path_, ignored))
        fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add, ignored);
      fs::remove_all(path_, ignored);
    }
    if (old_) {
      setenv("TMPDIR", old_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }

private:
  fs::path path_;
  std::optional<std::string> old_;
};

// The signals that end this process, held back so that they can be waited for.
class HeldSignals {
public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&held_, signal);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
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

private:
  sigset_t held_{}, before_{};
};

int crashed(int signal) {
  if (signal == SIGPIPE) return 128 + SIGPIPE; // who read our output has gone
  std::fprintf(stderr,
               "course: the grader itself was ended by signal %d (%s). Your file is not to blame; "
               "please report how it came to this.\n",
               signal, strsignal(signal));
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

// Waits for the child, or for a signal that ends it.
int await(pid_t child, const HeldSignals& signals) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child && WIFEXITED(status)) return WEXITSTATUS(status);
    if (ended == child && WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      const bool told =
          signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
      return told ? 128 + signal : crashed(signal); // Ctrl-C goes to both of us
    }
    const int signal = signals.wait();
    if (signal == SIGCHLD) continue;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return 128 + signal;
  }
}

} // namespace

int supervised(const std::function<int()>& work) {
  std::fflush(nullptr);
  const HeldSignals signals; // released last: a second Ctrl-C may wait, and would end us at once
  const TemporaryFolder folder;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    std::perror("course: cannot start a process");
    return kSetUp;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kInternal);
    signals.release();
    _exit(run(work));
  }
  const int code = await(child, signals);
  end_orphans();
  return code;
}

} // namespace course::cli
