#include "device/emulator/execute/grid.hpp"

#include <algorithm>

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

} // namespace course::emulator
