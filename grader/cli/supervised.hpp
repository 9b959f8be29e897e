// Work that leaves nothing behind, however it ends.
//
// Grading starts processes and makes scratch folders. It runs in a child of this process, with a
// folder of its own for temporary files ($TMPDIR). When the child ends, by itself, by a crash, or
// because the user pressed Ctrl-C, every process that it started is ended and the folder is
// removed.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <sys/types.h>

namespace course::cli {

// Runs `work` in a child and gives its exit code; kInternal with a message on standard error when
// it crashed; 128 and the signal's number when this process was told to end (SIGINT, SIGTERM,
// SIGHUP, SIGQUIT). Call it before any thread is started.
int supervised(const std::function<int()>& work);

// In the child: that the user wants the work to end.
class ToldToEnd {
public:
  ToldToEnd();                          // starts the thread that waits for the word
  ToldToEnd(const ToldToEnd&) = delete; // its thread knows it
  ToldToEnd& operator=(const ToldToEnd&) = delete;

  // From now on `then` is called with the signal, once, in a thread of its own. Before, or without,
  // the work just ends.
  void call(std::function<void(int)> then);

private:
  void wait();

  pid_t parent_;
  std::mutex mutex_;
  std::function<void(int)> then_;
};

// The same for work that has something to say before it ends: it is told of the first signal, and
// has kLastWords to return, with the exit code of its choice. A second signal ends it at once.
// Even where all of it is killed, no folder stays. The child, and what it starts, have the
// signals above and SIGUSR1 blocked.
int supervised(const std::function<int(ToldToEnd&)>& work);
inline constexpr std::chrono::seconds kLastWords{20};

} // namespace course::cli
