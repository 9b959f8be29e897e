// course_keeper: a small program between the grader and an untrusted one.
//
//   course_keeper direct ORDER    confines a process, runs the program in it
//   course_keeper wrapped -- …    runs a command that runs `course_keeper first` in a name space
//   course_keeper first ORDER     as direct, as the first process of a name space
//   course_keeper nothing         exits with 0: to try what a machine can do
//
// It has one thread and nothing worth stealing, so it can do between fork and exec what the grader,
// which has many, cannot. It ends the program when the grader says so or is gone, and everything
// that the program left when the program ended. ORDER is described in order.hpp.

#include "sandbox/keeper/confine.hpp"
#include "sandbox/keeper/leftovers.hpp"
#include "system/argument_pointers.hpp"
#include "system/remove_folder.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::sandbox {
namespace {

void send(const Report& report) {
  ::send(kControlDescriptor, &report, sizeof(report), MSG_NOSIGNAL);
}

sigset_t child_ended() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

// Calls `become` in a new process, which ends when it returns. The channel is the child's from then
// on: the grader must see it close when the program ends.
template <class Become>
pid_t fork_into(Become become) {
  // Blocked before there is a child, so that its end is not missed.
  const sigset_t signals = child_ended();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    become();
    _exit(127);
  }
  close(kChannelDescriptor);
  if (child < 0) send({Report::Kind::failed, Step::fork, errno, 0});
  return child;
}

pid_t run_confined(const Order& order) {
  return fork_into([&] {
    const Step step = confine_and_run(order);
    send({Report::Kind::failed, step, errno, 0});
  });
}

pid_t run_wrapper(const std::vector<std::string>& words) {
  return fork_into([&] {
    const auto argv = system::argument_pointers(words);
    char* no_environment[] = {nullptr};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fcntl(kControlDescriptor, F_SETFD, 0);
    execve(argv[0], argv.data(), no_environment);
    send({Report::Kind::failed, Step::run, errno, 0});
  });
}

void report_end(int status, const rusage& use) {
  const auto microseconds = [](const timeval& t) { return t.tv_sec * 1'000'000ll + t.tv_usec; };
  send({Report::Kind::ended, {}, status, microseconds(use.ru_utime) + microseconds(use.ru_stime)});
}

// Reaps what has ended; true when `main_child` is among it.
bool reap(pid_t main_child, bool report) {
  bool ended = false;
  int status = 0;
  rusage use{};
  for (pid_t dead; (dead = wait4(-1, &status, WNOHANG, &use)) > 0;) {
    if (dead != main_child) continue;
    ended = true;
    if (report) report_end(status, use);
  }
  return ended;
}

enum class Grader { watched, not_watched };

// Until the child ends, or the grader says so or is gone: then false.
bool wait_for(pid_t child, bool report, Grader grader) {
  const sigset_t ended = child_ended();
  const int signals = signalfd(-1, &ended, SFD_CLOEXEC);
  pollfd events[] = {{signals, POLLIN, 0}, {kControlDescriptor, POLLIN, 0}};
  while (!reap(child, report)) {
    poll(events, grader == Grader::watched ? 2 : 1, -1);
    if (events[1].revents != 0) return false;
    signalfd_siginfo ignored;
    if (events[0].revents != 0 && read(signals, &ignored, sizeof(ignored)) < 0) return false;
  }
  return true;
}

int keep(const std::string& role, const std::vector<std::string>& words) {
  fcntl(kControlDescriptor, F_SETFD, FD_CLOEXEC);
  // Processes of the same user cannot trace this one or read its memory.
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  if (role == "first") {
    const pid_t program = run_confined(from_arguments(words));
    if (program > 0) wait_for(program, true, Grader::not_watched);
    return 0; // and the kernel ends the others of the name space
  }
  if (role == "wrapped") {
    const pid_t wrapper = run_wrapper({words.begin() + 1, words.end()});
    if (wrapper > 0 && !wait_for(wrapper, false, Grader::watched)) report_end(SIGKILL, {});
    end_descendants();
    return 0;
  }
  const Order order = from_arguments(words);
  const pid_t program = run_confined(order);
  if (program > 0 && !wait_for(program, true, Grader::watched)) report_end(SIGKILL, {});
  end_descendants();
  if (order.scratch) system::remove_folder(order.directory);
  return 0;
}

} // namespace
} // namespace course::sandbox

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 1 && arguments[0] == "nothing") return 0;
  if (arguments.size() < 2) return 64;
  try {
    return course::sandbox::keep(arguments[0], {arguments.begin() + 1, arguments.end()});
  } catch (const std::exception&) {
    return 64;
  }
}
