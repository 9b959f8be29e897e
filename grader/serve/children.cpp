#include "serve/children.hpp"

#include "system/fork.hpp"
#include "system/program.hpp"
#include "system/stream.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace course::serve {
namespace {

constexpr std::chrono::seconds kPatience{25}; // a grading has last words: cli/supervised.hpp

} // namespace

Children::~Children() {
  for (auto& child : all_) kill(child.process, SIGTERM);
  for (auto& child : all_) system::await(child.process);
}

Children::Id Children::start(std::vector<std::string> words, const std::string& program,
                             std::vector<std::string> environment, std::chrono::seconds limit,
                             Then then) {
  auto pipe = system::make_pipe();
  if (!pipe) return 0;
  fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
  const pid_t process = system::start_with_parent(
      {std::move(words),
       program,
       std::move(environment),
       {{STDIN_FILENO}, {STDOUT_FILENO, pipe->write.get()}, {STDERR_FILENO, pipe->write.get()}}},
      SIGTERM);
  if (process < 0) return 0;
  all_.push_back(
      {++last_, process, std::move(pipe->read), {}, std::move(then), Clock::now() + limit});
  return last_;
}

void Children::tell_to_end(Child& child) {
  if (child.kill_at != Clock::time_point::max()) return;
  kill(child.process, SIGTERM);
  child.kill_at = Clock::now() + kPatience;
}

void Children::stop(Id id) {
  for (auto& child : all_)
    if (child.id == id) {
      child.so_far.stopped = true;
      tell_to_end(child);
    }
}

void Children::add_descriptors(std::vector<pollfd>& to) const {
  for (const auto& child : all_)
    if (child.words) to.push_back({child.words.get(), POLLIN, 0});
}

void Children::read(Child& child) {
  char chunk[1 << 14];
  while (child.words) {
    const auto count = ::read(child.words.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return child.words.reset();
    auto& text = child.so_far.text;
    text.append(chunk, std::min<std::size_t>(count, kMostWords - text.size()));
  }
}

void Children::work() {
  std::list<Child> ended;
  for (auto at = all_.begin(); at != all_.end();) {
    auto& child = *at;
    read(child);
    const auto now = Clock::now();
    if (now >= child.kill_at) kill(child.process, SIGKILL);
    if (now >= child.most && child.kill_at == Clock::time_point::max()) {
      child.so_far.too_long = true;
      tell_to_end(child);
    }
    int status = 0;
    const auto next = std::next(at);
    if (waitpid(child.process, &status, WNOHANG) == child.process) {
      read(child);
      child.so_far.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      ended.splice(ended.end(), all_, at);
    }
    at = next;
  }
  // What follows may start others.
  for (auto& child : ended) child.then(std::move(child.so_far));
}

} // namespace course::serve
