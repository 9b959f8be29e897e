// One execution of a launch whose threads' steps are chosen one by one.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/copies_in_flight.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/choices.hpp"
#include "device/emulator/execute/cluster_run.hpp"
#include "device/emulator/execute/grid_execution.hpp"
#include "device/emulator/explore/chooser.hpp"
#include "device/emulator/explore/exploration.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace course::emulator {
namespace {

OrderEvent event_of(const Stopped& stopped, const Launch& launch) {
  const Block& block = *stopped.block;
  const MemoryOperand& access = *stopped.access;
  const auto& source = launch.program->sites()[access.id].source;
  OrderEvent event;
  event.block = stopped.warp->block->index;
  event.thread = block.thread(*stopped.warp, stopped.lane);
  event.does = stopped.step.does == Step::Does::looks ? device::LaneAccess::Does::load
               : stopped.looks                        ? what(access).does
                                                      : device::LaneAccess::Does::atomic;
  event.file = launch.program->file_of(source);
  event.line = source.line;
  if (stopped.step.memory) {
    event.what = block.shared.layout().describe(static_cast<std::uint32_t>(stopped.step.begin),
                                                stopped.step.bytes);
  } else if (const Allocation* memory = launch.memory->find(stopped.step.begin)) {
    event.what = memory->element(stopped.step.begin - memory->base, stopped.step.bytes);
  }
  return event;
}

// Those that met what another thread did.
std::vector<OrderEvent> that_matter(const std::vector<Step>& steps,
                                    std::vector<OrderEvent>&& events) {
  std::vector<OrderEvent> kept;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::ranges::any_of(steps, [&](const Step& other) {
          return other.agent != steps[i].agent && depend(other, steps[i]);
        }))
      kept.push_back(std::move(events[i]));
  return kept;
}

// The blocks of a launch, each stopped where its threads are about to make a step.
class Stops {
public:
  // By number; of clusters, if there are any.
  Stops(const Launch& launch, const std::vector<Block*>& blocks)
      : launch_(launch), blocks_(blocks) {
    gathered_.resize(blocks.size());
    for (std::uint64_t i = 0; launch.clustered && i < blocks.size() / launch.cluster.count(); ++i)
      add_cluster(i);
    for (Block* block : blocks)
      interpreters_.push_back(std::make_unique<Interpreter>(*block, launch));
    for (std::size_t i = 0; i < blocks.size(); ++i) interpreters_[i]->begin(i);
    for (std::size_t i = 0; i < blocks.size() && goes_on_; ++i) run(*blocks[i]);
  }
  bool goes_on() const { return goes_on_; } // false: a block has ended the kernel

  // By thread.
  void gather() {
    steps_.clear();
    all_.clear();
    for (auto& those : gathered_) {
      for (Stopped& one : those) {
        one.step.can_go_on = !one.looks || !one.looks->in_vain();
        one.step.is_back = one.looks && one.looks->is_back();
        steps_.push_back(one.step);
        all_.push_back(&one);
      }
    }
  }
  const std::vector<Step>& steps() const { return steps_; }
  bool any_can_go_on() const { return std::ranges::any_of(steps_, &Step::can_go_on); }

  void go_on(std::size_t chosen) {
    const Stopped one = *all_[chosen];
    if (launch_.events) {
      made_.push_back(one.step);
      events_.push_back(event_of(one, launch_));
    }
    interpreters_[one.block->linear]->go_on(one);
    run(*one.block);
  }
  // Nobody can go on: those that have not ended wait for ever.
  void report_endless() {
    if (!all_.empty())
      return interpreters_[all_.front()->block->linear]->report_endless_look(*all_.front());
    for (const Block* block : blocks_)
      if (block->live) return interpreters_[block->linear]->report_stuck();
  }
  void end() {
    for (const Block* block : blocks_) {
      if (block->live && !block->ended) continue;
      interpreters_[block->linear]->advance();
      if (block->cluster && block->checks && !block->ended)
        block->checker->remote.end_block(*blocks_[block->linear]);
    }
  }
  std::vector<OrderEvent> events() { return that_matter(made_, std::move(events_)); }

private:
  void add_cluster(std::uint64_t number) {
    std::vector<Block*> blocks;
    for (std::uint32_t rank = 0; rank < launch_.cluster.count(); ++rank)
      blocks.push_back(blocks_[block_of_cluster(launch_, number, rank)]);
    clusters_.emplace_back();
    make_cluster(clusters_.back(), std::move(blocks));
    clusters_.back().begin();
  }

  // Executes what there is before the next choices, in the block and where others wait for it.
  void run(Block& block) {
    const std::vector<Block*> alone{&block};
    const auto& those = block.cluster ? block.cluster->blocks : alone;
    for (bool again = true; again && goes_on_;) {
      again = false;
      for (const Block* one : those) {
        again = interpreters_[one->linear]->run_to_choices() || again;
        goes_on_ = goes_on_ && !one->ended;
      }
      again = again && those.size() > 1;
    }
    for (Block* one : those) {
      if (!one->live && one->checks) end_bulk_copies(*one); // those that are under way still
      name_copies(*one);
      auto& stopped = gathered_[one->linear];
      stopped.clear();
      interpreters_[one->linear]->add_stopped(stopped);
      std::ranges::sort(stopped, {}, [](const Stopped& each) { return each.step.agent; });
    }
  }
  // By the thread that has begun them, and how many it had begun.
  void name_copies(Block& block) {
    for (Tracked& copy : block.memory_barriers.under_way) {
      if (copy.agent) continue;
      const Agent thread = agent_of(*copy.by, copy.lane);
      copy.agent = thread + kMostThreads * ++copies_[thread];
      launch_.chooser->meet({thread, copy.agent});
    }
  }

  const Launch& launch_;
  const std::vector<Block*>& blocks_;
  std::deque<Cluster> clusters_;
  std::vector<std::unique_ptr<Interpreter>> interpreters_; // by block
  std::vector<std::vector<Stopped>> gathered_;             // by block
  std::map<Agent, Agent> copies_;                          // how many a thread has begun
  bool goes_on_ = true;
  std::vector<const Stopped*> all_;
  std::vector<Step> steps_, made_;
  std::vector<OrderEvent> events_; // of the steps that were made
};

} // namespace

bool GridExecution::by_choices() {
  std::vector<Block*> blocks;
  for (std::size_t i = 0; i < launch_.grid.count(); ++i) blocks.push_back(&block(i));
  Stops stops(launch_, blocks);
  while (stops.goes_on()) {
    stops.gather();
    const auto chosen = launch_.chooser->choose(stops.steps());
    if (!chosen && stops.any_can_go_on()) return false;
    if (!chosen) break;
    stops.go_on(*chosen);
  }
  if (stops.goes_on()) stops.report_endless();
  if (launch_.events) *launch_.events = stops.events();
  stops.end();
  for (std::size_t i = 0; i < blocks.size(); ++i) done(*blocks[i], i);
  return true;
}

} // namespace course::emulator
