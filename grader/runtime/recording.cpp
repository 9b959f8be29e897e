#include "runtime/recording.hpp"

#include "device/module_info.hpp"
#include "runtime/host_exit.hpp"
#include "runtime/recorder.hpp"
#include "runtime/serve.hpp"
#include "runtime/session.hpp"
#include "runtime/started_live.hpp"

#include <csignal>
#include <fmt/format.h>
#include <poll.h>
#include <utility>

namespace course::runtime {

namespace {

using sandbox::Outcome;

// How long a process may take to end after its last word. It has nothing left to do but _exit; one
// that forged that word may do otherwise.
constexpr int kFarewell = 500; // ms

// Beside the exercise's own operands. A device that executes the plan may have to back all of it.
constexpr std::uint64_t kMostAllocated = 1ull << 30; // bytes

// Waits until the other side has closed the stream, at most kFarewell.
void await_close(int channel) {
  pollfd gone{channel, POLLRDHUP, 0};
  poll(&gone, 1, kFarewell);
}

// The student's code may end the process with the harness's own codes. That the runtime could not
// be loaded is believed only of a process that never used it.
void end_by_itself(Recording& to, const Outcome& outcome, bool spoke) {
  to.code = outcome.code;
  if (outcome.code == kExitNoGrader) {
    to.end = Recording::End::bad_protocol;
    to.reason = "it closed descriptor 3, on which its CUDA calls are answered";
  } else if (outcome.code == kExitNoRuntime && !spoke) {
    to.end = Recording::End::not_started;
    to.reason = "the course's CUDA runtime could not be loaded: " + outcome.err;
  } else {
    to.end = Recording::End::exited;
  }
}

// How the process ended, for a program that did not say how.
void end_by_outcome(Recording& to, const Outcome& outcome, bool spoke) {
  using End = Recording::End;
  switch (outcome.end) {
  case Outcome::End::exited:
    end_by_itself(to, outcome, spoke);
    break;
  case Outcome::End::signalled:
    to.end = End::crashed;
    to.signal = outcome.code;
    break;
  case Outcome::End::wall_time:
    to.end = End::wall_time;
    break;
  case Outcome::End::cpu_time:
    to.end = End::cpu_time;
    break;
  case Outcome::End::memory:
    to.end = End::memory;
    break;
  case Outcome::End::output:
    to.end = End::output;
    break;
  case Outcome::End::file_size:
    to.end = End::file_size;
    break;
  case Outcome::End::not_started:
    to.end = End::not_started;
    to.reason = outcome.reason;
    break;
  }
}

// How the session ended. False: it did not, and the process's own end counts.
bool end_by_session(Recording& to, const Session& session) {
  using End = Recording::End;
  to.reason = session.reason();
  switch (session.end()) {
  case Session::End::open:
    return false;
  case Session::End::returned:
    to.end = End::returned;
    return true;
  case Session::End::threw:
    to.end = End::crashed;
    to.signal = SIGABRT; // what the exception would have ended in, had nobody caught it
    return true;
  case Session::End::no_function:
    to.end = End::no_function;
    return true;
  case Session::End::not_loaded:
    to.end = End::not_loaded;
    return true;
  case Session::End::malformed:
    to.end = End::bad_protocol;
    return true;
  case Session::End::too_large:
    to.end = End::too_large;
    return true;
  }
  return false;
}

// A limit that was hit while the function ran counts before its last word: what was printed too
// much may be noticed only after it.
bool is_limit(Outcome::End end) {
  return end != Outcome::End::exited && end != Outcome::End::signalled;
}

std::vector<device::ModuleInfo> inspect_all(const std::vector<device::Module>& modules) {
  std::vector<device::ModuleInfo> infos;
  infos.reserve(modules.size());
  for (const auto& module : modules) infos.push_back(device::inspect(module));
  return infos;
}

sandbox::Command command_for(const Host& host, const model::Gpu& gpu,
                             const std::filesystem::path& library,
                             const std::optional<MappedFile>& memory) {
  const auto runtime = std::filesystem::absolute(host.runtime / "libcudart.so.13");
  const auto student = std::filesystem::absolute(library);
  sandbox::Command command;
  command.argv = {std::filesystem::absolute(host.runner), runtime, student};
  command.readable = {command.argv[0], runtime, student};
  if (memory) {
    command.argv.push_back(memory->path.string());
    command.argv.push_back(std::to_string(memory->address));
    command.writable = {memory->path.parent_path()};
  }
  command.environment = {{kGpuVariable, model::told(gpu)}};
  command.channel = true;
  return command;
}

// Believed where the process has ended by such a signal: it is said in a message, and nothing else
// depends on it.
std::optional<Recording::Touched> touched(const Recording& recording, const Session& session,
                                          const Call& call) {
  const bool by_fault = recording.signal == SIGSEGV || recording.signal == SIGBUS;
  if (recording.end != Recording::End::crashed || !by_fault || !session.fault())
    return std::nullopt;
  Recording::Touched touched{session.fault()->address, session.fault()->writes, std::nullopt};
  for (std::size_t i = 0; i < call.memory.size(); ++i) {
    const auto& region = call.memory[i];
    if (touched.address >= region.address && touched.address - region.address < region.size)
      touched.region = i;
  }
  return touched;
}

// Serves the session until the process has ended, in whatever way.
Outcome run(Session& session, const sandbox::Command& command, const sandbox::Limits& limits) {
  auto process = sandbox::Process::start(command, limits);
  if (process.channel() >= 0) {
    serve(session, process.channel()); // a limit that ends the process ends this
    if (session.end() == Session::End::returned) await_close(process.channel());
    if (session.end() != Session::End::open) process.end();
  }
  return process.wait();
}

} // namespace

Recording record(const Host& host, const std::filesystem::path& library,
                 const std::vector<device::Module>& modules, const Call& call,
                 const sandbox::Limits& limits, const std::optional<MappedFile>& memory) {
  const auto gpu = call.shared_kib ? host.gpu->with_shared_memory(call.shared_kib) : *host.gpu;
  Recorder recorder(gpu, modules, inspect_all(modules));
  Session::Limits most;
  most.memory = kMostAllocated;
  Session session(recorder, call, most);
  auto outcome = run(session, command_for(host, gpu, library, memory), limits);

  Recording recording;
  const bool said = end_by_session(recording, session);
  if (!said || (session.end() == Session::End::returned && is_limit(outcome.end))) {
    end_by_outcome(recording, outcome, session.messages() > 0);
  }
  recording.touched = touched(recording, session, call);
  recording.ends = recorder.ends();
  recording.plan = recorder.take_plan();
  recording.errors = session.errors();
  recording.unsupported = session.unsupported();
  recording.not_freed = session.memory().allocations();
  if (recording.not_freed > 0) recording.bytes_not_freed = session.memory().allocated();
  recording.out = std::move(outcome.out);
  recording.err = std::move(outcome.err);
  return recording;
}

} // namespace course::runtime
