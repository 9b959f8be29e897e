#include "watch.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace course::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// How long the keeper may take to end everything before it is killed itself.
constexpr std::chrono::seconds kGrace{5};

const char* refused(Step step) {
  switch (step) {
  case Step::fork:
    return "a process for the program could not be made";
  case Step::directory:
    return "the program's working folder could not be entered";
  case Step::session:
    return "the program's session could not be prepared";
  case Step::limits:
    return "the program's limits could not be set";
  case Step::user:
    return "the program's user could not be set";
  case Step::landlock:
    return "Landlock could not be turned on";
  case Step::filter:
    return "the filter of system calls could not be turned on";
  case Step::run:
    return "the program could not be run";
  }
  return "the program could not be started";
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// What has been learnt of a run while it is watched.
struct Run {
  std::optional<Report> failed, ended;
  std::optional<Outcome::End> imposed; // the grader's own reason to end it
  bool keeper_gone = false;
};

void receive(Run& run, int control) {
  Report report;
  const ssize_t size = recv(control, &report, sizeof(report), MSG_DONTWAIT);
  // ECONNRESET: the keeper left without reading a word to end. What it sent before is still there.
  if (size < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET)) return;
  if (size != sizeof(report)) {
    run.keeper_gone = true;
    return;
  }
  auto& slot = report.kind == Report::Kind::failed ? run.failed : run.ended;
  if (!slot) slot = report;
}

// Until the program ended, or is told to.
void follow(Run& run, Watched& watched, Clock::time_point deadline) {
  while (!run.keeper_gone && !run.ended) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (watched.out.past_limit() || watched.err.past_limit())
      run.imposed = Outcome::End::output;
    else if (left.count() <= 0)
      run.imposed = Outcome::End::wall_time;
    if (run.imposed) return ask_end(watched.control.get());
    pollfd events[] = {{watched.control.get(), POLLIN, 0},
                       {watched.out.descriptor(), POLLIN, 0},
                       {watched.err.descriptor(), POLLIN, 0}};
    poll(events, 3, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (events[1].revents != 0) watched.out.read();
    if (events[2].revents != 0) watched.err.read();
    if (events[0].revents != 0) receive(run, watched.control.get());
  }
}

// Until nothing is left of it.
void follow_to_the_end(Run& run, Watched& watched) {
  const auto deadline = Clock::now() + kGrace;
  while (!run.keeper_gone && Clock::now() < deadline) {
    pollfd event{watched.control.get(), POLLIN, 0};
    poll(&event, 1, 100);
    if (event.revents != 0) receive(run, watched.control.get());
  }
  if (!run.keeper_gone) kill(watched.keeper, SIGKILL);
}

} // namespace

void ask_end(int control) {
  const char word = 'e';
  send(control, &word, sizeof(word), MSG_NOSIGNAL | MSG_DONTWAIT);
}

Outcome::End end_of(const Report& ended, const Limits& limits, const std::string& err, int& code) {
  const bool signalled = WIFSIGNALED(ended.value);
  code = signalled ? WTERMSIG(ended.value) : WEXITSTATUS(ended.value);
  if (!signalled) return Outcome::End::exited;
  const bool used_up = std::chrono::microseconds(ended.cpu_microseconds) >= limits.cpu;
  if (code == SIGXCPU || (code == SIGKILL && used_up)) return Outcome::End::cpu_time;
  if (code == SIGXFSZ) return Outcome::End::file_size;
  if (code == SIGABRT && err.find("std::bad_alloc") != std::string::npos)
    return Outcome::End::memory;
  return Outcome::End::signalled;
}

Outcome watch(Watched& watched, const Limits& limits) {
  const auto started = Clock::now();
  Run run;
  follow(run, watched, started + limits.wall);
  follow_to_the_end(run, watched);
  waitpid(watched.keeper, nullptr, 0);
  watched.out.read();
  watched.err.read();
  if (!run.imposed && (watched.out.past_limit() || watched.err.past_limit()))
    run.imposed = Outcome::End::output;

  Outcome outcome;
  outcome.wall = Clock::now() - started;
  outcome.out = watched.out.take();
  outcome.err = watched.err.take();
  if (run.failed) {
    outcome.end = Outcome::End::not_started;
    outcome.reason = std::string(refused(run.failed->step)) + ": " + strerror(run.failed->value);
  } else if (run.imposed) {
    outcome.end = *run.imposed;
  } else if (run.ended) {
    outcome.end = end_of(*run.ended, limits, outcome.err, outcome.code);
  } else {
    outcome.end = Outcome::End::not_started;
    outcome.reason = outcome.err.empty() ? "the sandbox ended without a word of the program"
                                         : first_line(outcome.err);
  }
  return outcome;
}

} // namespace course::sandbox
