// Grid: all blocks of a launch, in parallel.
#pragma once

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/count/line_rows.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/execute/worker_block.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
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
  bool order_matters = false; // its threads can tell who was first
  bool ended = false;         // by a fatal finding
  bool stopped = false;       // that is what ended it: by its pace
  std::uint64_t left_out = 0; // blocks, by a sample
  std::uint64_t clearing = 0; // of local memory, in warp-instructions: taken from the budget too
};

// What executes blocks, and may outlive a machine: kept between launches for its memory.
struct Cores {
  explicit Cores(unsigned threads); // 0: as many as the machine has cores

  Workers workers;
  // What a block of each kernel took when it was launched last, in warp-instructions. Of a program
  // that is no more another one's may be taken: it says how many workers are woken, no more.
  std::unordered_map<const Code*, std::uint64_t> costs;
  std::vector<std::unique_ptr<WorkerBlock>> blocks;
  Footprint footprint;
};

// Executes a launch. Nothing that it gives depends on how many workers there are. Blocks run in
// parallel; one after the other where their order matters to the result, where threads turn out to
// be in conflict, and where a fatal finding ends the kernel: then memory is put back, and they are
// executed again.
GridResult run_grid(Launch&, Cores&);

} // namespace course::emulator
