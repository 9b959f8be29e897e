#include "classroom/ctest_process.hpp"

#include "system/fork.hpp"
#include "system/program.hpp"
#include "system/stream.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
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
  auto output = system::make_pipe();
  if (!output) return 127;
  const pid_t started = system::start_with_parent(
      {command, {}, std::nullopt, {{STDOUT_FILENO, output->write.get()}}}, SIGTERM);
  if (started < 0) return 127;
  output->write.reset();
  child = started;
  struct sigaction pass {};
  struct sigaction old_interrupt {
  }, old_terminate{};
  pass.sa_handler = pass_on;
  sigaction(SIGINT, &pass, &old_interrupt);
  sigaction(SIGTERM, &pass, &old_terminate);
  read_lines(output->read.get(), each);
  const int status = system::await(started);
  child = 0;
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace course::classroom
