// Grid: all blocks of a launch, in parallel.
#pragma once

#include "device/emulator/interpreter.hpp"
#include "device/emulator/line_rows.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace course::emulator {

// Threads that wait for work, so that a small launch need not start any.
class Workers {
public:
  explicit Workers(unsigned count);
  ~Workers();
  Workers(const Workers&) = delete;

  unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Calls `work(i)` for i < `count`, the caller's thread included, and waits for all.
  void run(unsigned count, const std::function<void(unsigned)>& work);

private:
  void wait_for_work(unsigned index);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned wanted_ = 0, running_ = 0;
  std::uint64_t generation_ = 0;
  bool stopping_ = false;
};

// What a launch amounted to.
struct GridResult {
  Counters counters;
  Executed executed; // when the launch counts operations
  Findings findings;
  device::LaunchCounts counts;
  std::string printed;
  bool ended = false;         // by a fatal finding
  std::uint64_t clearing = 0; // of local memory, in warp-instructions: taken from the budget too
};

// Executes a launch. Counts and findings do not depend on how many workers there are; only where a
// fatal finding ends the kernel, blocks behind that one may or may not have been executed. `blocks`
// are kept between launches for their memory.
GridResult run_grid(const Launch&, Workers&, std::vector<std::unique_ptr<Block>>& blocks);

} // namespace course::emulator
