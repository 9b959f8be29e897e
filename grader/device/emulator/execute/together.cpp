#include "device/emulator/execute/together.hpp"

#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/one_by_one.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

namespace course::emulator {
namespace {

using Manner = Liberties::Manner;

constexpr std::size_t kMostLaunches = 6, kMostWork = 24;
constexpr std::uint64_t kMostBytes = 128u << 20; // that are kept of what memory was
// All that is executed again is at most so many times what was executed, or few instructions.
constexpr std::uint64_t kTimes = 3, kFewInstructions = 1'000'000;

// Nothing is checked, or noted, that was when it was executed by itself.
void prepare(PastLaunch& past, std::uint32_t number) {
  Launch& launch = past.launch;
  launch.arguments = &past.arguments;
  launch.number = number;
  launch.checks = false;
  launch.footprint = nullptr;
  launch.histories = nullptr;
  launch.places = nullptr;
  launch.undo = nullptr;
  launch.stream_races = nullptr;
  launch.acquires_from_streams = false;
  launch.host_races = nullptr;
  if (Allocation* barrier =
          launch.grid_workspace ? launch.memory->find(launch.grid_workspace) : nullptr)
    std::memset(barrier->bytes.get(), 0, kGridWorkspaceBytes);
}

} // namespace

// For how many rounds a launch goes on. How they take turns is drawn: all step by step; each until
// it is stopped once, or now and then; or the last before the others. Whoever takes all manners in
// turns has either order of each two.
class RecentWork::Turns {
public:
  Turns(std::uint64_t seed, std::uint32_t number)
      : draws_(seed + device::kManners * number),
        last_first_(draws_.manner() != Manner::in_step &&
                    (seed % device::kManners + number) % 2 == 0) {}

  bool last_first() const { return last_first_; }
  std::uint32_t next(bool first_turn, bool last) {
    constexpr std::uint32_t kToItsEnd = 2048; // if it waits for another, that has its turn then
    if (draws_.manner() == Manner::in_step) return 1;
    if (last_first_) return kToItsEnd;
    if (draws_.manner() == Manner::some) return 1 + draws_.below(8);
    return first_turn && !last ? draws_.stops_after() - 1 : kToItsEnd;
  }

private:
  Liberties draws_;
  bool last_first_;
};

// What was freed of late is there meanwhile.
class RecentWork::ThereAgain {
public:
  explicit ThereAgain(const std::vector<Freed>& freed) : freed_(freed) { set_freed(false); }
  ~ThereAgain() { set_freed(true); }
  ThereAgain(const ThereAgain&) = delete;

private:
  void set_freed(bool is) {
    for (const Freed& one : freed_) one.memory->freed = is;
  }
  const std::vector<Freed>& freed_;
};

// All that was done of late, once more.
class RecentWork::Again {
public:
  Again(std::vector<std::unique_ptr<Work>>& all, Cores& cores, Turns turns)
      : turns_(turns), cores_(cores) {
    for (auto& work : all) parts_.emplace_back(std::make_unique<Part>())->work = work.get();
    const auto is_launch = [](const auto& work) { return work->launch.has_value(); };
    // With the same draws one kernel goes step by step, twice, and in the manner of the turns.
    number_ = static_cast<std::uint32_t>(device::kManners) *
              (*std::ranges::find_if(all, is_launch))->number;
    if (turns_.last_first()) std::ranges::reverse(parts_);
  }

  GridResult run() {
    for (bool any = true; any;) {
      any = false;
      for (const auto& part : parts_) {
        if (part->done || !(part->blocks || may_begin(*part))) continue;
        any = true;
        give_turn(*part);
      }
    }
    return std::move(result_);
  }

private:
  struct Part {
    Work* work = nullptr;
    std::optional<GridExecution> execution = {};
    std::optional<OneByOne> blocks = {};
    bool done = false;
  };

  const Part& part_of(std::uint64_t id) const {
    return **std::ranges::find_if(parts_, [id](const auto& part) { return part->work->id == id; });
  }

  // Where it does not come first of all, it begins with the one that it may meet.
  bool may_begin(const Part& part) const {
    const auto is_done = [this](std::uint64_t id) { return part_of(id).done; };
    if (!std::ranges::all_of(part.work->behind, is_done)) return false;
    if (!part.work->launch) return true;
    if (part.work->meets && !turns_.last_first() && !part_of(*part.work->meets).done &&
        !part_of(*part.work->meets).blocks)
      return false;
    // There is one place for the barrier of a grid.
    return !part.work->launch->launch.grid_workspace ||
           std::ranges::none_of(parts_, [](const auto& other) {
             return other->blocks && !other->done && other->work->launch->launch.grid_workspace;
           });
  }

  void give_turn(Part& part) {
    if (!part.work->launch) {
      part.work->again();
      part.done = true;
      return;
    }
    const bool begins = !part.blocks;
    if (begins) {
      prepare(*part.work->launch, number_);
      part.execution.emplace(part.work->launch->launch,
                             begun_++ ? beside_.emplace_back(1) : cores_);
      part.blocks.emplace(*part.execution);
    }
    bool more = true;
    const bool last = &part == parts_.back().get();
    for (std::uint32_t left = turns_.next(begins, last); left && more; --left)
      more = part.blocks->round();
    if (!more) end(part);
  }

  void end(Part& part) {
    part.done = true;
    part.blocks->count_stopped();
    const GridResult its = part.execution->result();
    result_.findings.add_unknown(its.findings);
    result_.ended = result_.ended || its.ended;
    result_.stopped = result_.stopped || its.stopped;
  }

  Turns turns_;
  Cores& cores_;
  std::deque<Cores> beside_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t begun_ = 0;
  std::uint32_t number_ = 0;
  GridResult result_;
};

RecentWork::Work& RecentWork::begin(const StreamOrder& order, StreamOrder::Work work) {
  Work& now = *all_.emplace_back(std::make_unique<Work>());
  now.work = work;
  now.id = next_id_++;
  for (const auto& earlier : all_) {
    const auto& [stream, number] = earlier->work;
    if (earlier.get() != &now && (stream == work.stream || order.known(stream) >= number))
      now.behind.push_back(earlier->id);
  }
  return now;
}

// What was executed together can be put back together alone.
void RecentWork::forget(std::size_t first) {
  first = std::max(first, std::exchange(joined_, 0));
  for (std::size_t i = 0; i < first; ++i)
    for (const auto& later : all_) std::erase(later->behind, all_[i]->id);
  for (const auto& later : all_)
    if (later->meets && first > 0 && *later->meets <= all_[first - 1]->id) later->meets.reset();
  all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first));
  joint_ = {};
  release_freed();
}

void RecentWork::release_freed() {
  std::erase_if(freed_, [this](const Freed& freed) {
    const bool over = all_.empty() || all_.front()->id > freed.behind;
    if (over) GlobalMemory::release(*freed.memory);
    return over;
  });
}

void RecentWork::freed(Allocation& memory) {
  if (all_.empty()) return GlobalMemory::release(memory);
  freed_.push_back({&memory, all_.back()->id});
}

void RecentWork::make_room() {
  for (;;) {
    const auto launches =
        std::ranges::count_if(all_, [](const auto& one) { return one->launch.has_value(); });
    std::uint64_t bytes = joint_.bytes();
    for (const auto& one : all_) bytes += one->undo.bytes();
    for (const Freed& freed : freed_) bytes += freed.memory->size;
    if (static_cast<std::size_t>(launches) < kMostLaunches && all_.size() < kMostWork &&
        bytes <= kMostBytes)
      return;
    forget(1);
  }
}

// Each of those for which stays(work).
template <typename F>
void RecentWork::forget_where(F stays) {
  const auto its = [&](const auto& one) { return stays(one->work); };
  const auto joined = all_.begin() + static_cast<std::ptrdiff_t>(joined_);
  if (std::any_of(all_.begin(), joined, its)) return clear();
  for (std::size_t i = joined_; i < all_.size();) {
    if (!its(all_[i])) {
      ++i;
      continue;
    }
    for (const auto& later : all_) {
      std::erase(later->behind, all_[i]->id);
      if (later->meets == all_[i]->id) later->meets.reset();
    }
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  release_freed();
}

void RecentWork::host_waited(const StreamOrder& order) {
  forget_where([&](StreamOrder::Work work) { return order.host_knows(work); });
}

void RecentWork::stays_before(const StreamOrder& order) {
  forget_where([&](StreamOrder::Work work) { return order.known(work.stream) >= work.number; });
}

// A launch that cannot be executed again. What it may have met can neither.
void RecentWork::stays(const StreamOrder& order, const Undo& undo) {
  stays_before(order);
  if (std::ranges::any_of(all_, [&](const auto& one) { return one->undo.meets(undo); })) clear();
}

void RecentWork::add(const StreamOrder& order, StreamOrder::Work work, Undo undo,
                     std::function<void()> again) {
  make_room();
  undo.settle();
  Work& now = begin(order, work);
  now.undo = std::move(undo);
  now.again = std::move(again);
}

std::optional<std::uint64_t> RecentWork::whom_it_meets(const Work& now) const {
  for (std::size_t i = all_.size(); i-- > 0;) {
    const Work& other = *all_[i];
    if (!other.launch || &other == &now ||
        std::ranges::find(now.behind, other.id) != now.behind.end())
      continue;
    const bool tells =
        other.launch->launch.entry->tells_order || now.launch->launch.entry->tells_order;
    if (tells && other.undo.meets(now.undo)) return other.id;
  }
  return std::nullopt;
}

std::optional<GridResult> RecentWork::add(const StreamOrder& order, StreamOrder::Work work,
                                          PastLaunch past, std::uint64_t instructions) {
  executed_ += instructions;
  if (past.launch.entry->uses_heap || past.undo.is_on_heap()) {
    stays(order, past.undo);
    return std::nullopt;
  }
  make_room();
  Work& now = begin(order, work);
  now.number = past.launch.number;
  now.instructions = instructions;
  now.undo = std::move(past.undo);
  now.launch.emplace(std::move(past));
  now.meets = whom_it_meets(now);
  if (!now.meets) return std::nullopt;
  std::uint64_t all = 0;
  for (const auto& one : all_) all += one->instructions;
  if (repeated_ + all > kTimes * executed_ + kFewInstructions) {
    forget(all_.size() - 1);
    return std::nullopt;
  }
  repeated_ += all;
  GridResult result = execute_again();
  if (result.ended) clear();
  return result;
}

GridResult RecentWork::execute_again() {
  const ThereAgain there_again(freed_);
  for (std::size_t i = all_.size(); i-- > joined_;) all_[i]->undo.apply();
  joint_.apply();
  for (std::size_t i = joined_; i < all_.size(); ++i) joint_.add(std::move(all_[i]->undo));
  joined_ = all_.size();
  const Work& last = *all_.back();
  Again again(all_, cores_, {last.launch->launch.order.seed, last.number});
  GridResult result = again.run();
  joint_.settle();
  return result;
}

} // namespace course::emulator
