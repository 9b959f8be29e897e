// A program that is not trusted, run in its own process, with limits, and told apart by how it
// ended.
//
// The child starts with no environment but `Command::environment`, no descriptors but 0 to 2 and
// the channel, its own session, and the limits below. Whatever it leaves behind (daemons, threads,
// files in its scratch folder) is gone when `wait` returns.
//
// Between the grader and the program stands course_keeper (keeper/keeper.cpp), which ends all of it
// when the grader says so or is gone. When the grader is root, the program runs as a user of its
// own that nothing else belongs to.
#pragma once

#include "sandbox/rung.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace course::sandbox {

struct Limits {
  std::chrono::milliseconds wall{10'000};
  std::chrono::seconds cpu{5};
  std::uint64_t memory = 1ull << 30;     // bytes of address space
  std::uint64_t file_size = 64ull << 20; // bytes of one file it writes
  std::uint32_t processes = 64;          // processes and threads
  std::uint64_t output = 64ull << 10;    // bytes of each of its two streams; past it, it is ended
};

struct Command {
  std::vector<std::string> argv; // argv[0] is an absolute path, which it may read
  std::vector<std::pair<std::string, std::string>> environment;
  std::filesystem::path directory; // working folder; empty: a scratch folder, removed after
  // Absolute paths, each at the same place inside. What does not exist is left out.
  std::vector<std::filesystem::path> readable; // files and folders it may read, beside the system's
  std::vector<std::filesystem::path>
      writable;         // folders it may write; what it leaves there is hostile
  bool channel = false; // give it one end of a socket pair (SOCK_STREAM) as descriptor 3
};

struct Outcome {
  enum class End {
    exited,    // `code` is its exit code
    signalled, // `code` is the signal: it crashed
    wall_time,
    cpu_time,
    // An allocation was refused and it ended by it, where that can be told: it aborted with
    // std::bad_alloc. A null pointer from malloc that is then followed is `signalled`.
    memory,
    output,      // printed past the limit
    file_size,   // wrote a file past the limit
    not_started, // `reason` says why: the sandbox or the program could not be started
  };
  End end = End::exited;
  int code = 0;
  std::string reason;
  std::string out, err; // what it printed, up to the limit; bytes as they came
  std::chrono::duration<double> wall{};
};

class Process {
public:
  static Process start(const Command&, const Limits&); // on the best rung there is
  static Process start(const Command&, const Limits&, Rung);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process(); // ends it and everything it started

  int channel() const; // the parent's end; -1 when none was asked for or it could not be started
  void end();          // kill now, from any thread; `wait` still returns the outcome
  Outcome wait();      // until it ended or a limit ended it; closes the channel

  // Limits hold and output is read from the start, whether or not anybody waits.

private:
  struct State;
  explicit Process(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

inline Outcome run(const Command& command, const Limits& limits) {
  return Process::start(command, limits).wait();
}

} // namespace course::sandbox
