#include "cli/grading_process.hpp"

#include "cli/exit_codes.hpp"
#include "cli/supervised.hpp"
#include "system/fork.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace course::cli {
namespace {

using system::Descriptor;

struct Question {
  std::int32_t columns = 0, colour = 0;
  std::uint32_t rows = 0;
};

struct Answer {
  std::int32_t ending = 0, points = 0, max_points = 0;
  std::uint32_t size = 0; // of the text that follows
};

bool send_all(int channel, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const auto sent = send(channel, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= sent;
  }
  return true;
}

bool receive_all(int channel, void* bytes, std::size_t size) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const auto received = recv(channel, at, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    size -= received;
  }
  return true;
}

// Answers until nobody asks any more.
void answer(int channel, const GradingProcess::Graded& graded) {
  for (Question question; receive_all(channel, &question, sizeof question);) {
    const auto text = graded.draw({question.columns, question.colour != 0}, question.rows);
    const auto& verdict = graded.verdict;
    const Answer head{static_cast<std::int32_t>(verdict.ending), verdict.points, verdict.max_points,
                      static_cast<std::uint32_t>(text.size())};
    if (!send_all(channel, &head, sizeof head) || !send_all(channel, text.data(), text.size()))
      return;
  }
}

// Signals as a program finds them when it starts, and no part in the terminal.
void forget_the_screen() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const Descriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere.get(), stream);
}

} // namespace

GradingProcess::GradingProcess(const std::function<Graded()>& grade) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  channel_ = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  // With its parent it is told to end, not killed: there is something to clean up.
  process_ = system::fork_child(SIGTERM);
  if (process_ != 0) return;
  channel_.reset();
  forget_the_screen();
  _exit(supervised([&] {
    answer(theirs.get(), grade());
    return static_cast<int>(kPassed);
  }));
}

GradingProcess::~GradingProcess() {
  channel_.reset();
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  system::await(process_);
}

void GradingProcess::ask(const report::Terminal& terminal, std::size_t rows) {
  const Question question{terminal.columns, terminal.colour, static_cast<std::uint32_t>(rows)};
  send_all(channel_.get(), &question, sizeof question);
}

std::optional<GradingProcess::Report> GradingProcess::report() {
  Answer head;
  if (!receive_all(channel_.get(), &head, sizeof head)) return std::nullopt;
  Report report{static_cast<judge::Ending>(head.ending), head.points, head.max_points, {}};
  report.body.resize(head.size);
  if (!receive_all(channel_.get(), report.body.data(), head.size)) return std::nullopt;
  return report;
}

} // namespace course::cli
