#include "system/in_child.hpp"

#include "system/fork.hpp"
#include "system/stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

namespace course::system {
namespace {

[[noreturn]] void run(const std::function<void()>& work, std::chrono::seconds limit, int words) {
  // What becomes of this process is for its parent to say.
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  alarm(static_cast<unsigned>(limit.count()));
  int code = 0;
  try {
    work();
  } catch (const std::exception& error) {
    const std::string what = error.what();
    code = ::write(words, what.data(), what.size()) < 0 ? 2 : 1;
  } catch (...) {
    code = 2;
  }
  std::fflush(nullptr);
  _exit(code);
}

} // namespace

std::string in_child(const std::function<void()>& work, std::chrono::seconds limit) {
  auto words = make_pipe();
  const pid_t child = words ? fork_child(SIGKILL) : -1;
  if (child < 0) return std::string("could not be started: ") + strerror(errno);
  if (child == 0) {
    words->read.reset();
    run(work, limit, words->write.get());
  }
  words->write.reset();
  const int status = await(child);
  // What the child left behind may hold its end of the pipe open; its own words are in it by now.
  std::string said;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 1) {
    said.resize(512);
    const auto size = read(words->read.get(), said.data(), said.size());
    said.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  }
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == 0) return "";
    return said.empty() ? "ended early" : said;
  }
  const int signal = WTERMSIG(status);
  if (signal == SIGALRM) return "took longer than " + std::to_string(limit.count()) + " s";
  return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

} // namespace course::system
