#include "device/emulator/check/checker.hpp"
#include "device/emulator/execute/grid_execution.hpp"

#include "device/emulator/check/effects.hpp"
#include "device/emulator/check/history.hpp"
#include "device/emulator/check/host_races.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/stream_races.hpp"
#include "device/emulator/check/undo.hpp"
#include "device/emulator/count/request_log.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/cluster_run.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/one_by_one.hpp"
#include "device/emulator/execute/schedule.hpp"
#include "device/emulator/state/device_heap.hpp"
#include "system/cores.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <thread>

namespace course::emulator {

Cores::Cores(unsigned threads) : workers(threads ? threads : system::cores()) {}

namespace {

bool at_liberty(const Launch& launch) {
  return launch.order.kind == device::Order::Kind::at_liberty;
}

} // namespace

Sample sample_of(const Launch& launch) {
  const std::uint64_t size = launch.cluster.count();
  const bool whole = launch.clustered && launch.entry->may_wait;
  return {whole ? 0 : (launch.sample + size - 1) / size, launch.grid.count() / size};
}

GridExecution::GridExecution(Launch& launch, Cores& cores)
    : launch_(launch), cores_(cores), sample_(sample_of(launch)),
      schedule_(order_of(launch), sample_.size()), liberties_(launch.order.seed + launch.number),
      late_stores_(launch.order.seed + launch.number) {
  launch.liberties = at_liberty(launch) ? &liberties_ : nullptr;
  // What orders them is known of what is checked.
  const bool late = at_liberty(launch) && launch.checks && launch.entry->reads_strongly;
  launch.late_stores = late ? &late_stores_ : nullptr;
}

// Blocks that may wait for each other have to be on the device together, or to come in the order
// that their programmer had in mind.
device::Order GridExecution::order_of(const Launch& launch) {
  const bool any = !launch.entry->may_wait || launch.grid_workspace ||
                   launch.grid.count() <= launch.gpu->multiprocessors;
  return any ? launch.order : device::Order{};
}

Block& GridExecution::block(std::size_t index) {
  while (cores_.blocks.size() <= index) cores_.blocks.push_back(std::make_unique<WorkerBlock>());
  used_ = std::max(used_, index + 1);
  Block& block = *cores_.blocks[index];
  block.cluster = nullptr; // of an earlier launch
  block.rank = block.rank_bits = 0;
  return block;
}

void GridExecution::exceed_budget(Block& block) {
  const auto& body = launch_.entry->function->body;
  block.checker->fail(device::FindingKind::budget,
                      body.empty() ? ptx::SourceLine{} : body[0].source, block.warps[0], 0,
                      Message(Says::needs_more_instructions, Count{launch_.budget}));
}

// Behind those of the sample are the others, in order.
std::uint64_t GridExecution::number_at(std::uint64_t place) {
  if (place < sample_.size()) return sample_.at(schedule_.at(place));
  while (sample_.has(next_other_)) ++next_other_;
  ++others_;
  return next_other_++;
}

// A block has come to its end; it was the one at `place` in the order of execution.
void GridExecution::done(Block& block, std::uint64_t place) {
  if (launch_.late_stores) late_stores_.end_block(block.linear);
  block.totals.instructions += block.block_instructions;
  if (launch_.pace) {
    launch_.pace->instructions_of_launch += block.block_instructions - block.told;
    ++launch_.pace->blocks_done;
  }
  if (!block.printed.empty()) {
    const std::lock_guard lock(printing_);
    printed_.emplace(block.linear, std::move(block.printed));
    block.printed.clear();
  }
  spent_ += block.block_instructions;
  if (!block.ended && spent_.load() > launch_.budget) exceed_budget(block);
  if (!block.ended) return;
  if (spent_.load() > launch_.budget) over_budget_ = true;
  std::uint64_t before = last_.load();
  while (place < before && !last_.compare_exchange_weak(before, place)) {
  }
}

// Blocks of a cluster take turns on one worker.
void GridExecution::by_clusters(unsigned workers) {
  const std::uint64_t size = launch_.cluster.count(), count = sample_.size();
  for (std::size_t i = 0; i < workers * size; ++i) block(i);
  std::atomic<std::uint64_t> next{0};
  cores_.workers.run(workers, [&](unsigned index) {
    std::vector<Block*> blocks;
    for (std::size_t rank = 0; rank < size; ++rank)
      blocks.push_back(cores_.blocks[index * size + rank].get());
    ClusterRun cluster(blocks, launch_);
    for (;;) {
      const std::uint64_t place = next.fetch_add(1);
      if (place >= count || place * size > last_.load()) return;
      cluster.run(sample_.at(schedule_.at(place)));
      for (std::size_t rank = 0; rank < size; ++rank) done(*blocks[rank], place * size + rank);
    }
  });
}

void GridExecution::in_parallel(unsigned workers) {
  if (launch_.clustered) return by_clusters(workers);
  const std::uint64_t count = sample_.size();
  for (unsigned i = 0; i < workers; ++i) block(i); // before anybody else uses the list
  std::atomic<std::uint64_t> next{0};
  cores_.workers.run(workers, [&](unsigned index) {
    Block& block = *cores_.blocks[index];
    Interpreter interpreter(block, launch_);
    for (;;) {
      const std::uint64_t place = next.fetch_add(1);
      if (place >= count || place > last_.load()) return;
      interpreter.run(sample_.at(schedule_.at(place)));
      done(block, place);
    }
  });
}

void GridExecution::one_by_one() {
  OneByOne blocks(*this);
  while (blocks.round()) {
  }
  blocks.count_stopped();
}

// What blocks of a cooperative grid have counted at its barrier.
std::uint32_t GridExecution::grid_barrier() const {
  std::uint32_t counted = 0;
  if (const Allocation* memory =
          launch_.grid_workspace ? launch_.memory->find(launch_.grid_workspace) : nullptr)
    std::memcpy(&counted, memory->bytes.get() + (kGridBarrier - kGridWorkspace), sizeof counted);
  return counted;
}

bool GridExecution::has_errors() const {
  for (std::size_t i = 0; i < used_; ++i)
    for (const auto& [place, entry] : cores_.blocks[i]->checker->findings.entries())
      if (!device::is_note(place.kind)) return true;
  return false;
}

GridResult GridExecution::result() {
  GridResult result;
  for (std::size_t i = 0; i < used_; ++i) {
    const Block& block = *cores_.blocks[i];
    add(result.counters, *block.counters);
    add(result.executed, block.executed);
    result.findings.add(block.checker->findings);
    result.counts += block.totals;
  }
  // Where a GPU's malloc puts what it gives is not known.
  for (auto& counter : result.counters)
    if (counter && counter->allocation && counter->allocation->base >= kHeap)
      counter->doubtful = true;
  result.findings.drop_moot_notes();
  result.findings.settle_advice();
  for (auto& [linear, text] : printed_) result.printed += text;
  // Of what a lane gets from one that takes no part nothing is known, either.
  result.order_matters = launch_.entry->tells_order ||
                         std::ranges::any_of(result.findings.entries(), [](const auto& entry) {
                           return entry.second.finding.kind == device::FindingKind::idle_lane;
                         });
  result.ended = ended();
  result.stopped = result.ended && launch_.stopped();
  result.left_out = launch_.grid.count() - sample_.size() * launch_.cluster.count() - others_;
  result.counts.kernel = launch_.entry->shown;
  result.counts.grid = launch_.grid;
  result.counts.block = launch_.block;
  result.counts.registers = launch_.entry->registers;
  result.counts.shared_bytes = launch_.shared.bytes();
  return result;
}

namespace {

// Of a launch that came to no end. That is often because of a race, which shows at its beginning.
Findings races_at_the_beginning(const Launch& launch, Cores& cores) {
  constexpr std::uint64_t kBeginning = 2'000'000; // warp-instructions
  Histories histories;
  Launch beginning = launch;
  beginning.pace = nullptr; // which says that it has to stop
  beginning.log = nullptr;
  beginning.ways = nullptr;
  beginning.budget = std::min(launch.budget, kBeginning);
  beginning.footprint = nullptr;
  beginning.histories = &histories;
  GridExecution execution(beginning, cores);
  execution.one_by_one();
  return execution.result().findings;
}

// Whether to wake other workers would take longer than to do all of it, as far as anybody knows.
bool is_small(const Launch& launch, const Cores& cores, std::uint64_t blocks) {
  constexpr std::uint64_t kWorthAWorker = 2000; // warp-instructions
  const auto known = cores.costs.find(launch.entry);
  return known != cores.costs.end() && blocks <= kWorthAWorker &&
         known->second * blocks <= kWorthAWorker;
}

} // namespace

GridResult run_grid(Launch& launch, Cores& cores) {
  Footprint& footprint = cores.footprint;
  DeviceHeap& heap = launch.memory->heap();
  ReleasedPlaces places;
  RequestLog::Mark log;
  if (launch.log) log = launch.log->mark();
  const auto start = [&](bool concurrent) {
    footprint.begin(concurrent);
    if (launch.checks) launch.footprint = &footprint;
    // Several workers may not share them; a kernel that needs them has one.
    launch.places = launch.keeps_places() ? &places : nullptr;
    if (!launch.pace) return;
    launch.pace->blocks_done = launch.pace->instructions_of_launch = 0;
    launch.pace->blocks = sample_of(launch).size() * launch.cluster.count();
  };
  const auto roll_back = [&] {
    footprint.roll_back();
    heap.roll_back();
    places.clear();
  };
  const auto start_over = [&] {
    roll_back();
    if (launch.log) launch.log->rewind(log);
  };

  // Where the result depends on the order of atomics, or blocks wait for each other, they go one
  // after the other: the same result in every run is worth more than speed.
  const std::uint64_t blocks = sample_of(launch).size();
  const bool in_order = launch.entry->ordered_atomics || launch.grid_workspace || launch.ways ||
                        launch.acquires_from_streams || at_liberty(launch);
  const bool alone = in_order || is_small(launch, cores, blocks);
  const auto workers =
      static_cast<unsigned>(alone ? 1 : std::min<std::uint64_t>(cores.workers.count(), blocks));
  std::optional<GridExecution> execution(std::in_place, launch, cores);
  start(workers > 1);
  if (workers > 1)
    execution->in_parallel(workers);
  else
    execution->one_by_one();
  const auto end = [&](GridResult result) {
    if (launch.host_races)
      launch.host_races->note(footprint, *launch.program, *launch.entry, result.counters, places);
    if (launch.stream_races) launch.stream_races->keep(places);
    if (launch.undo) *launch.undo = footprint.take_undo();
    if (launch.effects) *launch.effects = footprint.effects();
    if (launch.checks) footprint.forget();
    heap.end_launch(launch.grid.count());
    cores.costs[launch.entry] = result.counts.instructions / std::max<std::uint64_t>(blocks, 1);
    return result;
  };
  if (!launch.checks) return end(execution->result());
  // Nobody waits for a second execution as long as the first.
  const auto end_early = [&] {
    GridResult result = execution->result();
    if (!footprint.has_conflicts()) return end(std::move(result));
    roll_back();
    result.findings.add_unknown(races_at_the_beginning(launch, cores));
    result.findings.drop_moot_notes();
    return end(std::move(result));
  };
  if (execution->ended() && launch.stopped()) return end_early();

  // What threads in conflict read is up to chance with several workers, and so may be what they do
  // then, and which block is the one that ends the kernel. So is which of two atomics is the first
  // at a word that nothing has written, and what the block before has left in shared memory where a
  // thread reads too early. That there is a conflict, an end, or something wrong is not.
  const auto by_chance = [&] {
    return execution->ended() || footprint.has_conflicts() || heap.was_full() ||
           execution->has_errors();
  };
  if (workers > 1 && by_chance()) {
    start_over();
    footprint.forget();
    start(false);
    execution.emplace(launch, cores);
    execution->one_by_one();
  }
  if (execution->over_budget()) return end_early();
  Histories histories;
  if (footprint.has_conflicts()) {
    start_over();
    launch.footprint = nullptr;
    launch.histories = &histories;
    execution.emplace(launch, cores);
    execution->one_by_one();
  }
  return end(execution->result());
}

} // namespace course::emulator
