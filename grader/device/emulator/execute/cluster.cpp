#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/choices.hpp"
#include "device/emulator/execute/cluster_run.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/explore/chooser.hpp"
#include "device/emulator/state/lanes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace course::emulator {

// ---- the barrier

namespace {

// Of the barrier that a lane has arrived at last, where orders are chosen.
u64 mark_of(const Warp& warp, u32 lane) {
  return warp.block->cluster->blocks[0]->linear << 32 | warp.cluster_arrivals[lane];
}

} // namespace

void arrive_at_cluster(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  Cluster& cluster = *block.cluster;
  ++block.totals.barriers;
  if (block.checks) {
    block.checker->shadow.next_step(warp);
    Passed passed = passed_by(warp, mask);
    if (!op.immediate) passed = {nullptr, nullptr, nullptr, passed.made};
    cluster.gathered.add(passed);
  }
  for (u32 left = mask; left; left &= left - 1)
    ++warp.cluster_arrivals[static_cast<std::size_t>(std::countr_zero(left))];
  if (block.launch->chooser)
    for (u32 left = mask; left; left &= left - 1)
      block.launch->chooser->leave(agent_of(warp, lowest(left)), mark_of(warp, lowest(left)));
  cluster.arrived += static_cast<u32>(std::popcount(mask));
  cluster.settle();
}

// At liberty the draw parts lanes where the program does not, and a GPU brings them together before
// such a barrier. What the program parts, the first execution has seen.
void need_aligned(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask == warp.live || warp.block->launch->liberties) return;
  warp.block->checker->report(device::FindingKind::cluster, op.immediate, kNone, warp,
                              static_cast<u32>(std::countr_zero(mask)),
                              [&] { return Message(Says::aligned_by_some, device::Lanes{mask}); });
}

namespace {

// Whether no lane has arrived more often than the barrier was complete.
bool may_pass(const Warp& warp, std::uint32_t lanes) {
  const u32 complete = warp.block->cluster->complete;
  for (u32 left = lanes; left; left &= left - 1)
    if (warp.cluster_arrivals[static_cast<std::size_t>(std::countr_zero(left))] > complete)
      return false;
  return true;
}

void pass(Warp& warp, const Operation& op, std::uint32_t lanes) {
  if (warp.block->checks && op.immediate) take_over(warp, lanes, warp.block->cluster->completed);
  if (Chooser* const chooser = warp.block->launch->chooser)
    for (u32 left = lanes; left; left &= left - 1)
      chooser->take_over(agent_of(warp, lowest(left)), mark_of(warp, lowest(left)));
}

} // namespace

bool Interpreter::wait_for_cluster(Warp& warp, Split& split, const Operation& op) {
  if (may_pass(warp, split.lanes)) {
    pass(warp, op, split.lanes);
    ++split.at;
    return true;
  }
  split.state = Split::State::at_cluster;
  warp.splits.push_back(split);
  return false;
}

bool Interpreter::end_cluster_waits() {
  block_.cluster->settle();
  bool any = false;
  for (Warp& warp : block_.warps) {
    bool passed = false;
    for (Split& split : warp.splits) {
      if (split.state != Split::State::at_cluster || !may_pass(warp, split.lanes)) continue;
      pass(warp, warp.activations[split.activation].code->operations[split.at], split.lanes);
      split.state = Split::State::ready;
      ++split.at;
      passed = true;
    }
    if (passed) merge_ready(warp);
    any = any || passed;
  }
  return any;
}

// ---- addresses

namespace {

// The address of the same place in the block of another rank.
template <typename T>
void map_to_rank(Warp& warp, const Operation& op, std::uint32_t mask) {
  T* to = lanes_at<T>(warp.frame, op.slot[0]);
  const T* from = lanes_at<const T>(warp.frame, op.slot[1]);
  const u32* rank = lanes_at<const u32>(warp.frame, op.slot[2]);
  for (u32 left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    to[lane] = (from[lane] & ~static_cast<T>(kRankBits)) |
               static_cast<T>((rank[lane] & 0xff) << kRankShift);
  }
}
template <typename T>
void rank_of(Warp& warp, const Operation& op, std::uint32_t mask) {
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  const T* from = lanes_at<const T>(warp.frame, op.slot[1]);
  for (u32 left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    to[lane] = static_cast<u32>(from[lane] >> kRankShift & 0xff);
  }
}

} // namespace

void map_to_rank_32(Warp& warp, const Operation& op, std::uint32_t mask) {
  map_to_rank<u32>(warp, op, mask);
}
void map_to_rank_64(Warp& warp, const Operation& op, std::uint32_t mask) {
  map_to_rank<u64>(warp, op, mask);
}
void rank_of_32(Warp& warp, const Operation& op, std::uint32_t mask) {
  rank_of<u32>(warp, op, mask);
}
void rank_of_64(Warp& warp, const Operation& op, std::uint32_t mask) {
  rank_of<u64>(warp, op, mask);
}

void in_own_shared(Warp& warp, const Operation& op, std::uint32_t mask) {
  const u64* at = lanes_at<const u64>(warp.frame, op.slot[1]);
  u32 own = 0;
  for (int i = 0; i < kLanes; ++i)
    own |= in_window(at[i], kSharedWindow) &&
                   (static_cast<u32>(at[i]) & kRankBits) == warp.block->rank_bits
               ? kLaneBit[i]
               : 0;
  u32& result = predicate_at(warp.frame, op.slot[0]);
  result = (result & ~mask) | (own & mask);
}

// ---- execution

namespace {

constexpr int kIdleTurns = 8;           // of all blocks, in which nothing happens
constexpr std::uint32_t kMostLate = 64; // turns that a block begins later than another, at liberty

} // namespace

std::uint64_t block_of_cluster(const Launch& launch, std::uint64_t cluster, std::uint32_t rank) {
  const device::Dim3 &size = launch.cluster, &grid = launch.grid;
  const std::uint64_t across = grid.x / size.x, down = grid.y / size.y;
  const std::uint64_t x = cluster % across * size.x + rank % size.x;
  const std::uint64_t y = cluster / across % down * size.y + rank / size.x % size.y;
  const std::uint64_t z = cluster / across / down * size.z + rank / size.x / size.y;
  return x + grid.x * (y + grid.y * z);
}

void make_cluster(Cluster& cluster, std::vector<Block*> blocks) {
  cluster.blocks = std::move(blocks);
  for (std::uint32_t rank = 0; rank < cluster.blocks.size(); ++rank) {
    Block& block = *cluster.blocks[rank];
    block.cluster = &cluster;
    block.rank = rank;
    block.rank_bits = rank << kRankShift;
  }
}

ClusterRun::ClusterRun(std::vector<Block*> blocks, const Launch& launch) : launch_(launch) {
  make_cluster(cluster_, std::move(blocks));
  for (Block* block : cluster_.blocks)
    interpreters_.push_back(std::make_unique<Interpreter>(*block, launch));
}

void ClusterRun::run(std::uint64_t number) {
  const std::size_t count = interpreters_.size();
  cluster_.begin();
  for (std::size_t rank = 0; rank < count; ++rank)
    interpreters_[rank]->begin(block_of_cluster(launch_, number, static_cast<std::uint32_t>(rank)));
  Liberties* const liberties = launch_.liberties;
  std::vector<std::size_t> turns(count);  // ranks
  std::vector<std::uint32_t> late(count); // turns for which one has not begun yet
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  if (launch_.order.kind == device::Order::Kind::backwards) std::ranges::reverse(turns);
  if (liberties)
    for (auto& rounds : late) rounds = liberties->one_in(2) ? liberties->below(kMostLate) : 0;
  std::vector<bool> ended(count);
  std::size_t running = count;
  std::uint64_t before = 0;
  int idle = 0;
  while (running) {
    bool all_stuck = true;
    if (liberties) liberties->shuffle(turns);
    for (const std::size_t rank : turns) {
      if (ended[rank]) continue;
      if (late[rank]) {
        --late[rank];
        all_stuck = false;
        continue;
      }
      const auto state = interpreters_[rank]->advance();
      cluster_.settle();
      all_stuck = all_stuck && state == Interpreter::State::stuck;
      if (state != Interpreter::State::ended) continue;
      ended[rank] = true;
      --running;
      // A fatal finding ends the kernel: nobody goes on.
      Block& block = *cluster_.blocks[rank];
      if (block.ended) return;
      if (block.checks) block.checker->remote.end_block(block);
    }
    // Some may have run only to find that there is nothing to do for them yet.
    if (const std::uint64_t now = progress(); now != before || !all_stuck) {
      before = now;
      idle = 0;
      continue;
    }
    bool goes_on = false;
    for (std::size_t rank = 0; rank < count; ++rank)
      goes_on = (!ended[rank] && interpreters_[rank]->time_out()) || goes_on;
    if (goes_on || ++idle < kIdleTurns) continue;
    for (std::size_t rank = 0; rank < count; ++rank)
      if (!ended[rank]) return interpreters_[rank]->report_stuck();
  }
}

// Rises with whatever may let somebody go on.
std::uint64_t ClusterRun::progress() const {
  std::uint64_t all = cluster_.complete;
  for (const Block* block : cluster_.blocks)
    all +=
        block->memory_barriers.progress + block->totals.barriers + launch_.threads() - block->live;
  return all;
}

// The first block that is stuck says for what.
void Interpreter::report_stuck() {
  const Cluster& cluster = *block_.cluster;
  for (Warp& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::at_cluster) continue;
      const Count arrived{cluster.arrived}, all{cluster.live()};
      Message message(Says::cluster_waits, arrived, all);
      ptx::SourceLine other;
      for (const Block* another : cluster.blocks) {
        for (const Warp& theirs : another->warps) {
          for (const Split& waiting : theirs.splits) {
            if (waiting.state == Split::State::at_cluster || other.line) continue;
            other = line_at(theirs, waiting.activation, waiting.at);
            message = Message(Says::cluster_waits_for_others, arrived, all, another->index,
                              device::Lanes{waiting.lanes}, theirs.index, other.line);
          }
        }
      }
      block_.checker->fail(device::FindingKind::cluster, line_at(warp, split.activation, split.at),
                           warp, static_cast<u32>(std::countr_zero(split.lanes)),
                           std::move(message), other);
      return;
    }
  }
  report_deadlock();
}

} // namespace course::emulator
