// One execution of a launch whose threads' steps are chosen one by one.
#include "device/emulator/check/saying.hpp"
#include "device/emulator/execute/choices.hpp"
#include "device/emulator/execute/grid_execution.hpp"
#include "device/emulator/explore/chooser.hpp"
#include "device/emulator/explore/exploration.hpp"

#include <algorithm>
#include <optional>

namespace course::emulator {
namespace {

OrderEvent event_of(const Stopped& stopped, const Launch& launch) {
  const Block& block = *stopped.block;
  const MemoryOperand& access = *stopped.access;
  const auto& source = launch.program->sites()[access.id].source;
  OrderEvent event;
  event.block = block.index;
  event.thread = block.thread(block.warps[stopped.warp], stopped.lane);
  event.does = what(access).does;
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
  explicit Stops(const Launch& launch) : launch_(launch) {}

  void add(std::unique_ptr<Interpreter> interpreter) {
    interpreters_.push_back(std::move(interpreter));
    interpreters_.back()->begin(interpreters_.size() - 1);
    interpreters_.back()->run_to_choices();
  }
  // By thread. Only a block that has gone on stops elsewhere.
  void gather() {
    for (std::size_t i = gathered_.size(); i < interpreters_.size(); ++i) gather(i);
    if (went_on_) gather(*went_on_);
    steps_.clear();
    all_.clear();
    for (auto& those : gathered_) {
      for (Stopped& one : those) {
        one.step.can_go_on = !one.looks->in_vain();
        steps_.push_back(one.step);
        all_.push_back(&one);
      }
    }
  }
  const std::vector<Step>& steps() const { return steps_; }
  bool any_can_go_on() const { return std::ranges::any_of(steps_, &Step::can_go_on); }

  // False: it has ended the kernel.
  bool go_on(std::size_t chosen) {
    const Stopped one = *all_[chosen];
    went_on_ = one.block->linear;
    if (launch_.events) {
      made_.push_back(one.step);
      events_.push_back(event_of(one, launch_));
    }
    interpreters_[one.block->linear]->go_on(one);
    return !one.block->ended;
  }
  // Nobody can go on, and not all have ended.
  void report_endless_look() {
    if (!all_.empty())
      interpreters_[all_.front()->block->linear]->report_endless_look(*all_.front());
  }
  void end(std::size_t block) { interpreters_[block]->advance(); }
  std::size_t blocks() const { return interpreters_.size(); }
  std::vector<OrderEvent> events() { return that_matter(made_, std::move(events_)); }

private:
  void gather(std::size_t block) {
    gathered_.resize(std::max(gathered_.size(), block + 1));
    gathered_[block].clear();
    interpreters_[block]->add_stopped(gathered_[block]);
    std::ranges::sort(gathered_[block], {}, [](const Stopped& one) { return one.step.agent; });
  }

  const Launch& launch_;
  std::vector<std::unique_ptr<Interpreter>> interpreters_; // by block
  std::vector<std::vector<Stopped>> gathered_;             // by block
  std::optional<std::size_t> went_on_;                     // the last block that did
  std::vector<const Stopped*> all_;
  std::vector<Step> steps_, made_;
  std::vector<OrderEvent> events_; // of the steps that were made
};

} // namespace

bool GridExecution::by_choices() {
  Stops stops(launch_);
  bool goes_on = true;
  for (std::size_t i = 0; i < launch_.grid.count() && goes_on; ++i) {
    Block& one = block(i);
    stops.add(std::make_unique<Interpreter>(one, launch_));
    goes_on = !one.ended;
  }
  while (goes_on) {
    stops.gather();
    const auto chosen = launch_.chooser->choose(stops.steps());
    if (!chosen && stops.any_can_go_on()) return false;
    if (!chosen) break;
    goes_on = stops.go_on(*chosen);
  }
  if (goes_on) stops.report_endless_look();
  if (launch_.events) *launch_.events = stops.events();
  for (std::size_t i = 0; i < stops.blocks(); ++i) {
    Block& one = *cores_.blocks[i];
    if (!one.live || one.ended) stops.end(i);
    done(one, i);
  }
  return true;
}

} // namespace course::emulator
