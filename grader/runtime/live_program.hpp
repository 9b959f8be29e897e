// An ordinary CUDA program, run as it is, with the emulated device in place of a GPU.
//
// Our libcudart.so.13 comes first in the program's LD_LIBRARY_PATH, and descriptor 3 is its
// connection to this process, which answers its CUDA calls and does the work at once. Everything
// else is the program's own: folder, environment, input, output, and time.
#pragma once

#include "device/live.hpp"
#include "device/removed.hpp"
#include "runtime/recording.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace course::runtime {

class LiveExecutor;
class Session;

struct LiveProgram {
  std::filesystem::path file;
  std::vector<std::string> arguments;       // the first is the program's name, as it was typed
  std::vector<std::string> environment;     // "NAME=value"
  std::filesystem::path runtime;            // the folder with our libcudart.so.13
  std::string source = {};                  // of its device code, where it is known: for names
  int output = -1, errors = -1, input = -1; // descriptors in the place of ours; -1: ours
};

// Ends a run from another thread, and those that would come after it.
class Stop {
public:
  // The launch at work ends soon with what it has executed, no call is answered any more, and the
  // program is told to end (SIGTERM), and made to when it has not after half a second.
  void now() {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
    changed_.notify_all();
  }
  bool wanted() const { return wanted_; }
  bool wanted_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return wanted_.load(); });
  }

private:
  friend class Ender;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> wanted_{false};
  bool over_ = false; // the program has ended
};

struct LiveRun {
  enum class End { exited, signalled, not_started };
  End end = End::exited;
  int code = 0;       // its exit code, or the signal
  std::string reason; // why it was not started

  std::vector<CudaError> errors;                 // in order, at most 100
  std::vector<std::string> unsupported;          // CUDA calls that could not be answered, each once
  std::map<std::string, std::uint64_t> computed; // a library's calls, on the host, and how often
  std::uint64_t calls = 0;   // CUDA calls that came; 0: the runtime was never used
  bool read_times = false;   // it asked how long kernels took
  std::uint64_t unseen = 0;  // bytes that kernels printed and that the program did not wait for
  std::size_t not_freed = 0; // allocations of device memory that it left behind
  std::uint64_t bytes_not_freed = 0;         // of them all
  std::vector<device::RemovedArray> removed; // shared arrays that the compiler took out
  bool stopped = false;                      // by Stop, before its end
  std::string fault; // what came on the connection instead of calls; usually empty

  // Keeps what the program's calls came to, once no more come: all but its end.
  void keep_calls(const Session&, LiveExecutor&);
};

// Runs it to its end, however long that takes, or until it is stopped. Signals that this process
// has blocked in order to wait for them (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGUSR1) are
// not blocked in the program.
LiveRun run_live(const LiveProgram&, device::Live&, Stop&);
LiveRun run_live(const LiveProgram&, device::Live&);

} // namespace course::runtime
