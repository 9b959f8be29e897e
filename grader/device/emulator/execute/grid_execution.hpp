// GridExecution: one execution of a launch, of which there may be several (grid.cpp).
#pragma once

#include "device/emulator/check/late_stores.hpp"
#include "device/emulator/execute/grid.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/schedule.hpp"

#include <atomic>
#include <limits>
#include <map>
#include <mutex>

namespace course::emulator {

// Which clusters of the grid are executed; a block that is not in one is its own. Clusters are
// whole, and those that may wait for each other are all executed.
Sample sample_of(const Launch&);

// One execution of a launch.
class GridExecution {
public:
  GridExecution(Launch& launch, Cores& cores);

  void in_parallel(unsigned workers);
  void one_by_one();
  void by_clusters(unsigned workers);
  // Step by step, as the launch's chooser says (choices.cpp). False: it has come to no end.
  bool by_choices();

  GridResult result();
  bool ended() const { return last_.load() != kNoBlock; }
  // Whether something is wrong, not worth a note alone.
  bool has_errors() const;
  bool over_budget() const { return over_budget_.load(); }

private:
  friend class OneByOne; // of its blocks

  static constexpr std::uint64_t kNoBlock = std::numeric_limits<std::uint64_t>::max();

  static device::Order order_of(const Launch&);
  Block& block(std::size_t index);
  std::uint64_t number_at(std::uint64_t place); // of a cluster
  void done(Block&, std::uint64_t place);
  void exceed_budget(Block&);
  std::uint32_t grid_barrier() const;

  const Launch& launch_;
  Cores& cores_;
  Sample sample_;
  Schedule schedule_;
  Liberties liberties_;
  LateStores late_stores_;
  std::uint64_t others_ = 0, next_other_ = 0; // blocks beside the sample that were begun
  std::size_t used_ = 0;                      // blocks
  std::atomic<std::uint64_t> spent_{0};
  std::atomic<std::uint64_t> last_{kNoBlock}; // to be executed, in the order of execution
  std::atomic<bool> over_budget_{false};
  std::mutex printing_;
  std::map<std::uint64_t, std::string> printed_;
};

} // namespace course::emulator
