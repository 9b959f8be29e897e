#include "classroom/ctest_process.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::classroom {
namespace {

// Read by the signal handler.
std::atomic<pid_t> child{0};
std::atomic<bool> stopped{false};

extern "C" void pass_on(int) {
  stopped = true;
  if (const pid_t running = child) kill(running, SIGTERM);
}

[[noreturn]] void become(const std::vector<std::string>& command, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  dup2(output, STDOUT_FILENO);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

void read_lines(int descriptor, const std::function<void(const std::string&)>& each) {
  std::string line;
  char part[4096];
  for (;;) {
    const auto size = read(descriptor, part, sizeof part);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    for (ssize_t i = 0; i < size; ++i) {
      if (part[i] != '\n') {
        line += part[i];
        continue;
      }
      each(line);
      line.clear();
    }
  }
  if (!line.empty()) each(line);
}

} // namespace

bool was_stopped() {
  return stopped;
}

int run_lines(const std::vector<std::string>& command,
              const std::function<void(const std::string&)>& each) {
  std::fflush(nullptr);
  int output[2];
  if (pipe(output) != 0) return 127;
  const pid_t parent = getpid(), started = fork();
  if (started < 0) return 127;
  if (started == 0) {
    close(output[0]);
    become(command, output[1], parent);
  }
  close(output[1]);
  child = started;
  struct sigaction pass {};
  struct sigaction old_interrupt {
  }, old_terminate{};
  pass.sa_handler = pass_on;
  sigaction(SIGINT, &pass, &old_interrupt);
  sigaction(SIGTERM, &pass, &old_terminate);
  read_lines(output[0], each);
  close(output[0]);
  int status = 0;
  while (waitpid(started, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace course::classroom
