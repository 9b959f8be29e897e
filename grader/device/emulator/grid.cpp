#include "device/emulator/grid.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

namespace course::emulator {

Workers::Workers(unsigned count) {
  for (unsigned i = 1; i < count; ++i) threads_.emplace_back([this, i] { wait_for_work(i); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::wait_for_work(unsigned index) {
  std::uint64_t seen = 0;
  for (;;) {
    const std::function<void(unsigned)>* work = nullptr;
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
      if (index >= wanted_) continue;
      work = work_;
    }
    (*work)(index);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) done_.notify_one();
  }
}

void Workers::run(unsigned wanted, const std::function<void(unsigned)>& work) {
  wanted = std::clamp(wanted, 1u, count());
  if (wanted > 1) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      wanted_ = wanted;
      running_ = wanted - 1;
      ++generation_;
    }
    begun_.notify_all();
  }
  work(0);
  if (wanted > 1) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
  }
}

GridResult run_grid(const Launch& launch, Workers& workers,
                    std::vector<std::unique_ptr<Block>>& blocks) {
  const std::uint64_t count = launch.grid.count();
  // Where the result depends on the order of atomics, blocks go one after the other: the same
  // result in every run is worth more than speed.
  unsigned wanted = launch.entry->ordered_atomics || launch.ways ? 1 : workers.count();
  wanted = static_cast<unsigned>(std::min<std::uint64_t>(wanted, count));
  while (blocks.size() < wanted) blocks.push_back(std::make_unique<Block>());

  std::atomic<std::uint64_t> next{0}, spent{0};
  std::atomic<std::uint64_t> last{std::numeric_limits<std::uint64_t>::max()}; // block to execute
  std::mutex printing;
  std::map<std::uint64_t, std::string> printed;
  const auto work = [&](unsigned index) {
    Block& block = *blocks[index];
    Interpreter interpreter(block, launch);
    for (;;) {
      const std::uint64_t linear = next.fetch_add(1);
      if (linear >= count || linear > last.load()) return;
      interpreter.run(linear);
      block.instructions += block.block_instructions;
      if (!block.printed.empty()) {
        const std::lock_guard lock(printing);
        printed.emplace(linear, std::move(block.printed));
        block.printed.clear();
      }
      if (!block.ended && (spent += block.block_instructions) > launch.budget) {
        block.fail(device::FindingKind::budget,
                   launch.entry->function->body.empty() ? ptx::SourceLine{}
                                                        : launch.entry->function->body[0].source,
                   block.warps[0], 0,
                   "the kernel needs more than " + std::to_string(launch.budget) +
                       " warp-instructions");
      }
      if (!block.ended) continue;
      std::uint64_t before = last.load();
      while (linear < before && !last.compare_exchange_weak(before, linear)) {
      }
    }
  };
  workers.run(wanted, work);

  GridResult result;
  for (unsigned i = 0; i < wanted; ++i) {
    const Block& block = *blocks[i];
    add(result.counters, block.counters);
    add(result.executed, block.executed);
    result.findings.add(block.findings);
    result.counts.instructions += block.instructions;
    result.counts.barriers += block.barrier_count;
    result.counts.shuffles += block.shuffles;
    result.counts.divergent_branches += block.divergent_branches;
  }
  for (auto& [linear, text] : printed) result.printed += text;
  result.ended = last.load() != std::numeric_limits<std::uint64_t>::max();
  result.counts.kernel = launch.entry->shown;
  result.counts.grid = launch.grid;
  result.counts.block = launch.block;
  result.counts.registers = launch.entry->registers;
  result.counts.shared_bytes = launch.shared.bytes();
  return result;
}

} // namespace course::emulator
