#include "lab/bounded.hpp"

#include "lab/not_graded.hpp"
#include "system/fork.hpp"
#include "system/spent.hpp"
#include "system/stream.hpp"

#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::lab {
namespace {

using system::Descriptor;

constexpr int kLook = 20; // ms

// Says, when it goes, that grading has come to its end, by a verdict or an exception.
class Watched {
public:
  explicit Watched(Descriptor word) : word_(std::move(word)) {}
  Watched(const Watched&) = delete; // one word
  ~Watched() { system::write_all(word_.get(), "d"); }

private:
  Descriptor word_;
};

std::optional<judge::EndedBy> past_limit(pid_t child, const Bounds& bounds) {
  if (system::memory_in_use(child) > bounds.memory)
    return judge::endings::TooMuchMemory{bounds.memory};
  if (system::processor_time(child) >= bounds.cpu)
    return judge::endings::TooMuchTime{static_cast<std::uint64_t>(bounds.cpu.count())};
  return std::nullopt;
}

// Until the child has graded or is gone: nothing. Else the limit that it is past.
std::optional<judge::EndedBy> watch(pid_t child, int word, const Bounds& bounds) {
  pollfd graded{word, POLLIN, 0};
  for (;;) {
    if (poll(&graded, 1, kLook) > 0) return std::nullopt;
    if (auto limit = past_limit(child, bounds)) return limit;
  }
}

// Ends this process as the one ended that went on in its place.
[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  _exit(128 + signal);
}

} // namespace

judge::Verdict grade_bounded(const Exercise& exercise, const Submission& submission,
                             const judge::Means& means,
                             const std::function<judge::Verdict()>& grade, Bounds bounds) {
  auto word = system::make_pipe();
  if (!word) return grade();
  const pid_t child = system::fork_child(SIGKILL);
  if (child < 0) return not_graded(exercise, submission, means, judge::endings::NoProcess{});
  if (child == 0) {
    word->read.reset();
    const Watched until_graded(std::move(word->write));
    return grade();
  }
  word->write.reset();
  const auto limit = watch(child, word->read.get(), bounds);
  if (!limit) end_like(system::await(child));
  kill(child, SIGKILL);
  system::await(child);
  return not_graded(exercise, submission, means, *limit);
}

} // namespace course::lab
