#include "runtime/live_program.hpp"

#include "runtime/live_executor.hpp"
#include "runtime/serve.hpp"
#include "runtime/session.hpp"
#include "runtime/started_live.hpp"
#include "system/descriptor.hpp"
#include "system/fork.hpp"
#include "system/program.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::runtime {

using namespace std::chrono_literals;

// Sees to it that a program ends when it is told to.
class Ender {
public:
  Ender(Stop& stop, device::Pace& pace, pid_t process)
      : stop_(begin(stop)), thread_([this, &pace, process] { watch(pace, process); }) {}
  Ender(const Ender&) = delete; // its thread knows it
  Ender& operator=(const Ender&) = delete;
  ~Ender() { thread_.join(); }

  // The process has ended, and is reaped after this: its number is not used for a signal any more.
  void over() {
    const std::lock_guard lock(stop_.mutex_);
    stop_.over_ = true;
    stop_.changed_.notify_all();
  }

private:
  // Of one run after the other.
  static Stop& begin(Stop& stop) {
    const std::lock_guard lock(stop.mutex_);
    stop.over_ = false;
    return stop;
  }
  void watch(device::Pace& pace, pid_t process) {
    std::unique_lock lock(stop_.mutex_);
    stop_.changed_.wait(lock, [this] { return stop_.wanted_ || stop_.over_; });
    pace.stop = true; // nobody waits any more for what a program that has ended launched
    if (stop_.over_) return;
    kill(process, SIGTERM);
    if (!stop_.changed_.wait_for(lock, 500ms, [this] { return stop_.over_; }))
      kill(process, SIGKILL);
  }

  Stop& stop_;
  std::thread thread_; // begun last
};

namespace {

constexpr int kChannel = 3; // as in client/grader.cpp
constexpr std::string_view kSearchPath = "LD_LIBRARY_PATH=";

// The environment with `folder` searched before all others for libraries.
std::vector<std::string> with_runtime(std::vector<std::string> environment,
                                      const std::filesystem::path& folder) {
  const auto first = std::filesystem::absolute(folder).string();
  for (auto& variable : environment) {
    if (!variable.starts_with(kSearchPath)) continue;
    const auto old = variable.substr(kSearchPath.size());
    variable = std::string(kSearchPath) + first + (old.empty() ? "" : ":" + old);
    return environment;
  }
  environment.push_back(std::string(kSearchPath) + first);
  return environment;
}

sigset_t signals_of_program() { // that it has blocked
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGUSR1})
    sigdelset(&blocked, signal);
  return blocked;
}

// The process, or -1 with errno.
pid_t start(const LiveProgram& program, const model::Gpu& gpu, int channel) {
  system::Program started;
  started.words = program.arguments;
  started.file = program.file;
  started.environment = with_runtime(program.environment, program.runtime);
  started.environment->push_back(kLiveVariable + std::string("=1"));
  started.environment->push_back(fmt::format("{}={}", kGpuVariable, gpu.architecture.name));
  if (program.input >= 0) started.descriptors.push_back({STDIN_FILENO, program.input});
  if (program.output >= 0) started.descriptors.push_back({STDOUT_FILENO, program.output});
  if (program.errors >= 0) started.descriptors.push_back({STDERR_FILENO, program.errors});
  started.descriptors.push_back({kChannel, channel});
  started.blocked = signals_of_program();
  return system::start(started);
}

Session::Limits no_limits(const model::Gpu& gpu) {
  Session::Limits limits;
  limits.messages = std::numeric_limits<std::uint64_t>::max();
  // What this computer has is the limit, as long as the device has more.
  const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0l));
  limits.memory = std::min(pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), gpu.memory);
  return limits;
}

void keep_end(LiveRun& run, int status) {
  if (WIFSIGNALED(status)) {
    run.end = LiveRun::End::signalled;
    run.code = WTERMSIG(status);
  } else {
    run.code = WEXITSTATUS(status);
  }
}

} // namespace

void LiveRun::keep_calls(const Session& session, LiveExecutor& executor) {
  errors = session.errors();
  unsupported = session.unsupported();
  computed = session.computed();
  calls = session.messages();
  not_freed = session.memory().allocations();
  bytes_not_freed = session.memory().allocated();
  removed = executor.removed();
  read_times = executor.read_times();
  unseen = executor.take_printed().size();
  if (session.end() != Session::End::open) fault = session.reason();
}

LiveRun run_live(const LiveProgram& program, device::Live& device) {
  Stop never;
  return run_live(program, device, never);
}

LiveRun run_live(const LiveProgram& program, device::Live& device, Stop& stop) {
  LiveRun run;
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    run.end = LiveRun::End::not_started;
    run.reason = std::strerror(errno);
    return run;
  }
  system::Descriptor ours(ends[0]), theirs(ends[1]);
  const pid_t process = start(program, device.gpu(), theirs.get());
  if (process < 0) {
    run.end = LiveRun::End::not_started;
    run.reason = std::strerror(errno);
    return run;
  }
  theirs.reset();

  LiveExecutor executor(device, program.source, CallPlaces(program.file));
  Session session(executor, std::nullopt, no_limits(device.gpu()));
  // A process that the program left behind may hold its end of the connection for ever.
  Ender ender(stop, device.pace(), process);
  std::thread waiter([&] {
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR) {
    }
    const int signal = ended.si_code == CLD_EXITED ? 0 : ended.si_status;
    // Ctrl-C goes to the program as well, and may come there first.
    const bool told =
        signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    ender.over();
    run.stopped = stop.wanted_within(told ? 200ms : 0ms);
    keep_end(run, system::await(process));
    shutdown(ours.get(), SHUT_RDWR);
  });
  serve(session, ours.get(), [&stop] { return stop.wanted(); });
  // After words that are no calls, the others fail: nobody answers any more.
  if (session.end() != Session::End::open) shutdown(ours.get(), SHUT_RDWR);
  waiter.join();

  run.keep_calls(session, executor);
  return run;
}

} // namespace course::runtime
