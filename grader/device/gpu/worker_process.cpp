#include "device/gpu/worker_process.hpp"

#include "device/gpu/channel.hpp"
#include "device/gpu/stand_in.hpp"
#include "system/environment.hpp"
#include "system/fork.hpp"
#include "system/program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace course::gpu {
namespace {

class Descriptor {
public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int get() const { return value_; }

private:
  int value_;
};

// What the driver and CUPTI need to be found, and which GPU to use. JIT results are not kept
// between runs, so that one student's code never leaves a file behind; modules are loaded whole, so
// that the first launch is as fast as the second. A worker uses one stream: with one connection to
// the GPU in place of eight, sixteen contexts that were made at once on an H200 took 1.2 s,
// not 3.2.
std::vector<std::string> worker_environment() {
  std::vector<std::string> result = {"CUDA_CACHE_DISABLE=1", "CUDA_MODULE_LOADING=EAGER",
                                     "CUDA_DEVICE_MAX_CONNECTIONS=1"};
  for (const auto& word :
       system::environment_of({"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH",
                               "ASAN_OPTIONS", kStandIn}))
    result.push_back(word);
  return result;
}

std::string contents(int descriptor, std::size_t cap) {
  std::string text(cap, '\0');
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

} // namespace

struct WorkerProcess::State {
  pid_t pid = -1;
  Descriptor channel, out, err;

  ~State() { end(); }
  int end() { // the wait status
    int status = 0;
    if (pid > 0) {
      kill(pid, SIGKILL);
      status = system::await(pid);
    }
    pid = -1;
    return status;
  }
};

WorkerProcess::WorkerProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkerProcess::WorkerProcess(WorkerProcess&&) noexcept = default;
WorkerProcess& WorkerProcess::operator=(WorkerProcess&&) noexcept = default;
WorkerProcess::~WorkerProcess() = default;

std::variant<WorkerProcess, WorkerFailure>
WorkerProcess::start(const std::filesystem::path& executable) {
  const auto failed = [&](const std::string& why) {
    return WorkerFailure{WorkerFailure::Kind::not_started,
                         "the GPU worker " + executable.string() + " could not be started: " + why};
  };
  if (access(executable.c_str(), X_OK) != 0) return failed(std::strerror(errno));

  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return failed(std::strerror(errno));
  auto state = std::make_unique<State>();
  state->channel = Descriptor(pair[0]);
  Descriptor theirs(pair[1]);
  state->out = Descriptor(memfd_create("worker-out", MFD_CLOEXEC));
  state->err = Descriptor(memfd_create("worker-err", MFD_CLOEXEC));
  if (state->out.get() < 0 || state->err.get() < 0) return failed(std::strerror(errno));

  const Descriptor channel(fcntl(theirs.get(), F_DUPFD_CLOEXEC, 10)); // none of those below
  system::Program worker{{executable.string()}};
  worker.environment = worker_environment();
  worker.descriptors = {{STDIN_FILENO},
                        {STDOUT_FILENO, state->out.get()},
                        {STDERR_FILENO, state->err.get()},
                        {3, channel.get()}};
  worker.apart = true;
  const pid_t pid = system::start_with_parent(worker, SIGKILL);
  if (pid < 0) return failed(std::strerror(errno));
  state->pid = pid;
  return WorkerProcess(std::move(state));
}

WorkerFailure WorkerProcess::lost(WorkerFailure::Kind kind) {
  // Let an ending worker end by itself, so that its status says how.
  int status = 0;
  pid_t ended = 0;
  if (kind == WorkerFailure::Kind::ended) {
    for (int i = 0; i < 200 && ended == 0; ++i) {
      ended = waitpid(state_->pid, &status, WNOHANG);
      if (ended == 0) usleep(5'000);
    }
  }
  if (ended > 0) {
    state_->pid = -1;
  } else {
    state_->end();
  }

  WorkerFailure failure{kind, ""};
  switch (kind) {
  case WorkerFailure::Kind::late:
    failure.reason = "the GPU worker did not answer in time";
    break;
  case WorkerFailure::Kind::malformed:
    failure.reason = "the GPU worker answered in words that are not its protocol's";
    break;
  default:
    failure.reason = "the GPU worker ended";
    if (ended > 0 && WIFSIGNALED(status)) {
      failure.reason += std::string(" by signal ") + strsignal(WTERMSIG(status));
    } else if (ended > 0 && WIFEXITED(status)) {
      failure.reason += " with exit code " + std::to_string(WEXITSTATUS(status));
    }
    if (auto said = contents(state_->err.get(), 400); !said.empty())
      failure.reason += ": " + said.substr(0, said.find('\n'));
  }
  return failure;
}

std::variant<Answer, WorkerFailure> WorkerProcess::ask(const Command& command,
                                                       std::chrono::milliseconds limit) {
  return ask(encode(command), limit);
}

std::variant<Answer, WorkerFailure> WorkerProcess::ask(const device::Bytes& encoded_command,
                                                       std::chrono::milliseconds limit) {
  if (state_->pid < 0) return WorkerFailure{WorkerFailure::Kind::ended, "the GPU worker is gone"};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const auto kind_of = [](ChannelError error) {
    switch (error) {
    case ChannelError::late:
      return WorkerFailure::Kind::late;
    case ChannelError::malformed:
      return WorkerFailure::Kind::malformed;
    default:
      return WorkerFailure::Kind::ended;
    }
  };
  if (const auto error = send(state_->channel.get(), encoded_command, deadline))
    return lost(kind_of(*error));
  auto received = receive(state_->channel.get(), deadline);
  if (const auto* error = std::get_if<ChannelError>(&received)) return lost(kind_of(*error));
  auto answer = decode_answer(std::get<device::Bytes>(received));
  if (!answer) return lost(WorkerFailure::Kind::malformed);
  return std::move(*answer);
}

std::uint32_t WorkerProcess::id() const {
  return static_cast<std::uint32_t>(state_->pid);
}

std::string WorkerProcess::printed(std::size_t cap) const {
  return contents(state_->out.get(), cap);
}

} // namespace course::gpu
