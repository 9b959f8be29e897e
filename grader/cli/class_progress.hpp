#pragma once

#include "classroom/progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace course::cli {

// The line that says how far it is: over itself on a terminal, now and then in a log.
class ClassProgress {
public:
  void show(const classroom::Finished& finished, const std::string& of = "") {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
    const auto line = progress_.line(finished, since.count());
    const double pause = terminal_ ? 0.1 : 10;
    if (since.count() - shown_ < pause && finished.done < finished.total) return;
    shown_ = since.count();
    fmt::print(stderr, "{}  {}{}{}", terminal_ ? "\r\033[K" : "", of, line, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
  void end() const {
    if (terminal_ && shown_ >= 0) fmt::print(stderr, "\n");
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  classroom::Progress progress_;
  double shown_ = -1;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

} // namespace course::cli
