#include "runtime/live_program.hpp"

#include "runtime/h200.hpp"
#include "runtime/live.hpp"
#include "runtime/serve.hpp"
#include "runtime/session.hpp"
#include "sandbox/descriptor.hpp"

#include <cerrno>
#include <cstring>
#include <limits>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::runtime {

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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (auto& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// The process, or -1 with errno.
pid_t spawn(const LiveProgram& program, int channel) {
  auto arguments = program.arguments;
  auto environment = with_runtime(program.environment, program.runtime);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel, kChannel);
  pid_t process = -1;
  const int error = posix_spawn(&process, program.file.c_str(), &actions, nullptr,
                                pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return process;
  errno = error;
  return -1;
}

Session::Limits no_limits() {
  Session::Limits limits;
  limits.messages = std::numeric_limits<std::uint64_t>::max();
  // What this computer has is the limit, as long as the device has more.
  const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0l));
  limits.memory =
      std::min(pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), h200::kMemory);
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

LiveRun run_live(const LiveProgram& program, device::Live& device) {
  LiveRun run;
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    run.end = LiveRun::End::not_started;
    run.reason = std::strerror(errno);
    return run;
  }
  sandbox::Descriptor ours(ends[0]), theirs(ends[1]);
  const pid_t process = spawn(program, theirs.get());
  if (process < 0) {
    run.end = LiveRun::End::not_started;
    run.reason = std::strerror(errno);
    return run;
  }
  theirs.reset();

  LiveExecutor executor(device, program.source);
  Session session(executor, std::nullopt, no_limits());
  // A process that the program left behind may hold its end of the connection for ever.
  std::thread waiter([&] {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    keep_end(run, status);
    shutdown(ours.get(), SHUT_RDWR);
  });
  serve(session, ours.get());
  // After words that are no calls, the others fail: nobody answers any more.
  if (session.end() != Session::End::open) shutdown(ours.get(), SHUT_RDWR);
  waiter.join();

  run.errors = session.errors();
  run.unsupported = session.unsupported();
  run.calls = session.messages();
  run.not_freed = session.memory().allocations();
  run.bytes_not_freed = session.memory().allocated();
  run.removed = executor.removed();
  run.read_times = executor.read_times();
  run.unseen = executor.take_printed().size();
  if (session.end() != Session::End::open) run.fault = session.reason();
  return run;
}

} // namespace course::runtime
