// The line that says how far a run is, in the last row of a terminal, below what its program
// prints.
//
// The program writes to a pseudoterminal in the terminal's place. What comes is passed on
// unchanged, and the line is taken away before and put back behind it, where a row begins.
#pragma once

#include "device/pace.hpp"
#include "system/descriptor.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace course::cli {

// What the line says, from what is read off a Pace twice a second.
class ProgressText {
public:
  // `seconds` since the run began. Columns are never more than `columns`; empty before the first
  // kernel.
  std::string at(double seconds, const device::Pace&, int columns);

private:
  std::uint64_t launches_ = 0, blocks_done_ = 0, instructions_ = 0;
  double launch_began_ = 0, before_ = 0, rate_ = 0;
};

class ProgressLine {
public:
  // Without `wanted` there is none. Where standard error is no terminal that can rewrite a line, as
  // in a log, it is one more line every ten seconds.
  ProgressLine(const device::Pace&, bool wanted);
  ProgressLine(const ProgressLine&) = delete; // its thread knows it
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { end(); }

  // For the program, in the place of ours; -1: ours.
  int output() const { return output_; }
  int errors() const { return errors_; }

  // When the program has ended: passes on what it wrote last, and takes the line away.
  void end();

private:
  void run();
  void run_in_log();
  bool pass_on(std::chrono::milliseconds wait); // false: nothing came
  void look(double seconds);
  void draw();
  void take_away();

  const device::Pace& pace_;
  system::Descriptor ours_, theirs_; // of the pseudoterminal
  int output_ = -1, errors_ = -1, to_ = -1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
  ProgressText text_;
  std::string line_;
  bool drawn_ = false, at_line_start_ = true;
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread thread_;
};

} // namespace course::cli
