// test_cost FILE NAME PROGRAM ARGUMENTS…: runs a test, and adds what it cost to FILE, a line
//   NAME <tab> seconds of processor time <tab> seconds it took <tab> MiB of its largest process
//   <tab> exit code
// Processor time is that of all processes below it that have ended: one whose parent is gone is
// waited for here.
// A slow test (COURSE_SLOW, by cmake/Tests.cmake) is not begun after COURSE_NO_SLOW_AFTER, seconds
// since 1970, which `./course test --all --minutes N` sets: it says so, and CTest calls it skipped.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

volatile sig_atomic_t test = 0;

// What ends us is for the test, which may have things to put away. A terminal's interrupt reaches
// both.
void pass_on(int signal) {
  if (signal == SIGTERM && test > 0) kill(test, signal);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

bool comes_too_late() {
  const char* const last = std::getenv("COURSE_NO_SLOW_AFTER");
  return last && std::getenv("COURSE_SLOW") && std::time(nullptr) > std::atoll(last);
}

} // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  if (comes_too_late()) return std::puts("not begun: the time for slow tests is over") < 0;
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM}) {
    // One that is ignored stays so, for the test as well.
    if (std::signal(signal, SIG_IGN) != SIG_IGN) std::signal(signal, pass_on);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const double begin = now();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // CTest's limit of time ends us alone
    execvp(arguments[3], arguments + 3);
    std::perror(arguments[3]);
    _exit(127);
  }
  test = child;
  int status = 0, ended = 0;
  for (pid_t one = 0; one != child;) {
    one = waitpid(-1, &ended, 0);
    if (one == child) status = ended;
    if (one < 0 && errno != EINTR) return 127;
  }
  while (waitpid(-1, &ended, WNOHANG) > 0) {
  }
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  char line[512];
  const int length = std::snprintf(line, sizeof(line), "%s\t%.2f\t%.2f\t%ld\t%d\n", arguments[2],
                                   seconds(use.ru_utime) + seconds(use.ru_stime), now() - begin,
                                   use.ru_maxrss >> 10, code);
  // In one piece, since others write as well. A test does not fail for its bookkeeping.
  const int file = open(arguments[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0 && write(file, line, static_cast<size_t>(length)) < 0) std::perror(arguments[1]);
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status)); // so that CTest says by which
  }
  return code;
}
