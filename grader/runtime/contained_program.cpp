#include "runtime/contained_program.hpp"

#include "runtime/live_executor.hpp"
#include "runtime/serve.hpp"
#include "runtime/session.hpp"
#include "runtime/started_live.hpp"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace course::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long the sandbox's own clock lasts beyond the deadline, which is to come first.
constexpr auto kSlack = 5s;

sandbox::Command command_for(const ContainedProgram& program, const model::Gpu& gpu) {
  sandbox::Command command;
  command.argv = {std::filesystem::absolute(program.file)};
  command.argv.insert(command.argv.end(), program.arguments.begin(), program.arguments.end());
  const auto runtime = std::filesystem::absolute(program.runtime);
  command.readable = {command.argv.front(), runtime};
  command.environment = {{"LD_LIBRARY_PATH", runtime},
                         {kLiveVariable, "1"},
                         {kGpuVariable, std::string(gpu.architecture.name)},
                         {"LC_ALL", "C.UTF-8"}};
  command.channel = true;
  return command;
}

Session::Limits limits_for(const ContainedProgram& program) {
  Session::Limits limits;
  limits.messages = std::numeric_limits<std::uint64_t>::max(); // time is what ends it
  limits.memory = program.memory;
  return limits;
}

// Ends a run at its deadline.
class Deadline {
public:
  Deadline(Clock::time_point when, device::Pace& pace, sandbox::Process& process)
      : thread_([this, when, &pace, &process] {
          std::unique_lock lock(mutex_);
          if (changed_.wait_until(lock, when, [this] { return over_; })) return;
          passed_ = true;
          pace.stop = true;
          process.end();
        }) {}
  Deadline(const Deadline&) = delete; // its thread knows it
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  bool passed() const { return passed_; }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::atomic<bool> passed_{false};
  std::thread thread_; // begun last
};

void keep_end(LiveRun& run, const sandbox::Outcome& outcome, bool too_late) {
  using End = sandbox::Outcome::End;
  run.code = outcome.code;
  if (outcome.end == End::not_started) {
    run.end = LiveRun::End::not_started;
    run.reason = outcome.reason;
  } else {
    run.end = outcome.end == End::signalled ? LiveRun::End::signalled : LiveRun::End::exited;
    run.stopped = too_late || (outcome.end != End::exited && outcome.end != End::signalled);
  }
}

} // namespace

ContainedRun run_contained(const ContainedProgram& program, device::Live& device) {
  ContainedRun run;
  auto limits = program.limits;
  const auto left = std::max<Clock::duration>(program.deadline - Clock::now(), 1ms);
  limits.wall = std::chrono::duration_cast<std::chrono::milliseconds>(left) + kSlack;
  auto process = sandbox::Process::start(command_for(program, device.gpu()), limits);
  LiveExecutor executor(device, program.source);
  Session session(executor, std::nullopt, limits_for(program));
  if (process.channel() >= 0) {
    const Deadline deadline(program.deadline, device.pace(), process);
    serve(session, process.channel(), [&deadline] { return deadline.passed(); });
    // After words that are no calls, nobody answers any more.
    if (session.end() != Session::End::open) process.end();
    run.outcome = process.wait();
    run.too_late = deadline.passed();
  } else {
    run.outcome = process.wait();
  }
  keep_end(run.live, run.outcome, run.too_late);
  run.live.keep_calls(session, executor);
  return run;
}

} // namespace course::runtime
