#include "device/emulator/execute/one_by_one.hpp"

#include "device/emulator/execute/interpreter.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

constexpr int kPatience = 16; // rounds, each of a slice

} // namespace

OneByOne::OneByOne(GridExecution& all)
    : all_(all), launch_(all.launch_), liberties_(launch_.liberties), limit_(all.sample_.size()) {
  if (liberties_) turns_.emplace(*liberties_);
}

// One block; with some that wait, as many more.
void OneByOne::begin_blocks() {
  const std::size_t most_at_once = launch_.grid_workspace ? launch_.grid.count() : 2048;
  const std::size_t wanted = std::min(
      most_at_once, liberties_ ? together_ : std::max<std::size_t>(1, 2 * running_.size()));
  while (next_ < limit_ && running_.size() < wanted) {
    if (free_.empty()) {
      free_.push_back(interpreters_.size());
      interpreters_.push_back(
          std::make_unique<Interpreter>(all_.block(interpreters_.size()), launch_));
    }
    running_.push_back({free_.back(), next_, turns_ ? turns_->begin() : BlockTurns::Block{}});
    interpreters_[free_.back()]->begin(all_.number_at(next_++));
    free_.pop_back();
  }
}

std::size_t OneByOne::give_turns() {
  std::uint64_t unfinished = 0; // instructions
  std::size_t at_grid_barrier = 0;
  if (liberties_) liberties_->shuffle(running_);
  for (std::size_t i = running_.size(); i-- > 0 && !all_.ended();) {
    const Running each = running_[i];
    Block& block = *all_.cores_.blocks[each.index];
    if (turns_ && turns_->sits_out(running_[i].turns)) continue;
    const auto state = interpreters_[each.index]->advance();
    at_grid_barrier += state == Interpreter::State::at_grid_barrier ? 1 : 0;
    if (state != Interpreter::State::ended) {
      unfinished += block.block_instructions;
      if (all_.spent_ + unfinished <= launch_.budget) continue;
      all_.exceed_budget(block);
      all_.over_budget_ = true;
    }
    all_.done(block, each.place);
    free_.push_back(each.index);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return at_grid_barrier;
}

// `still`: in this round no block has ended.
void OneByOne::let_stopped_go_on(bool still) {
  if (!turns_) return;
  const auto is_stopped = [](const Running& one) { return one.turns.stopped; };
  const auto stopped = std::ranges::find_if(running_, is_stopped);
  if (stopped != running_.end() &&
      turns_->one_goes_on(still, std::ranges::all_of(running_, is_stopped)))
    stopped->turns.stopped = false;
}

void OneByOne::report_deadlock() {
  const Running first = *std::ranges::min_element(running_, {}, &Running::place);
  interpreters_[first.index]->report_grid_deadlock(launch_.grid.count() - running_.size());
  all_.done(*all_.cores_.blocks[first.index], first.place);
}

bool OneByOne::round() {
  const std::uint64_t count = launch_.grid.count();
  if (all_.ended() || (next_ >= all_.sample_.size() && running_.empty())) return false;
  if (launch_.clustered) {
    next_ = all_.sample_.size();
    all_.by_clusters(1);
    return true;
  }
  begin_blocks();
  const std::uint32_t before = all_.grid_barrier();
  const std::size_t all = running_.size(), at_grid_barrier = give_turns();
  const bool still = running_.size() == all;
  rounds_without_end_ = still ? rounds_without_end_ + 1 : 0;
  if (rounds_without_end_ > kPatience) {
    together_ *= 2;
    rounds_without_end_ = 0;
  }
  let_stopped_go_on(still);
  const bool all_wait = still && next_ == limit_ && limit_ < count;
  rounds_of_waiting_ = all_wait ? rounds_of_waiting_ + 1 : 0;
  if (rounds_of_waiting_ > kPatience) limit_ = std::min<std::uint64_t>(count, limit_ + all);
  // Who has looked at a barrier that is complete goes on in the next round, so one round in which
  // nothing moves is not enough.
  const bool at_rest = next_ == count && at_grid_barrier == all && all_.grid_barrier() == before;
  idle_rounds_ = at_rest ? idle_rounds_ + 1 : 0;
  if (idle_rounds_ >= 2 && !all_.ended()) report_deadlock();
  return true;
}

void OneByOne::count_stopped() {
  if (!launch_.stopped()) return;
  for (const Running& each : running_) {
    Block& block = *all_.cores_.blocks[each.index];
    if (!block.ended) block.totals.instructions += block.block_instructions;
  }
}

} // namespace course::emulator
