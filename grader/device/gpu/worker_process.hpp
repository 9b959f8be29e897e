// The grader's end of a GPU worker: starts the process, asks, waits no longer than told, ends it.
//
// The worker starts with a minimal environment, no descriptor of the grader's but its channel, and
// dies with the grader. Its two output streams are kept apart and read back, capped: what kernels
// print arrives there.
#pragma once

#include "device/gpu/messages.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

namespace course::gpu {

struct WorkerFailure {
  enum class Kind {
    not_started,
    ended,    // crashed or left: `reason` says how
    late,     // did not answer in time, and was ended
    malformed // answered something that is no answer
  };
  Kind kind{};
  std::string reason; // one sentence
};

class WorkerProcess {
public:
  static std::variant<WorkerProcess, WorkerFailure> start(const std::filesystem::path& executable);
  WorkerProcess(WorkerProcess&&) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) noexcept;
  ~WorkerProcess(); // ends it

  // One command, one answer. After a failure the worker is gone.
  std::variant<Answer, WorkerFailure> ask(const Command&, std::chrono::milliseconds limit);
  std::variant<Answer, WorkerFailure> ask(const device::Bytes& encoded_command,
                                          std::chrono::milliseconds limit);

  std::string printed(std::size_t cap = 64u << 10) const; // its standard output so far
  std::uint32_t id() const;                               // of the process

private:
  struct State;
  explicit WorkerProcess(std::unique_ptr<State>);
  WorkerFailure lost(WorkerFailure::Kind);
  std::unique_ptr<State> state_;
};

} // namespace course::gpu
