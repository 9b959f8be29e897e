#include "device/emulator/execute/together.hpp"

#include "device/emulator/execute/liberties.hpp"
#include "device/emulator/execute/one_by_one.hpp"
#include "device/emulator/state/device_heap.hpp"

#include <array>
#include <utility>

namespace course::emulator {
namespace {

using Manner = Liberties::Manner;

// Nothing is checked, or noted, that was when it was executed by itself.
GridExecution begin(PastLaunch& past, Cores& cores) {
  Launch& launch = past.launch;
  launch.arguments = &past.arguments;
  launch.checks = false;
  launch.footprint = nullptr;
  launch.histories = nullptr;
  launch.places = nullptr;
  launch.undo = nullptr;
  launch.stream_races = nullptr;
  launch.acquires_from_streams = false;
  launch.host_races = nullptr;
  return {launch, cores};
}

// For how many rounds the next in turn goes on.
class Turns {
public:
  Turns(Liberties& draws, bool other_first) : draws_(draws), other_first_(other_first) {}

  std::uint32_t next() {
    constexpr std::uint32_t kToItsEnd = 2048; // if it waits for the other, that has its turn then
    const bool first = std::exchange(first_, false);
    if (draws_.manner() == Manner::in_step) return 1;
    if (other_first_) return kToItsEnd;
    if (draws_.manner() == Manner::some) return 1 + draws_.below(8);
    return first ? draws_.stops_after() - 1 : kToItsEnd;
  }

private:
  Liberties& draws_;
  bool other_first_, first_ = true;
};

} // namespace

bool can_be_together(const PastLaunch& first, const PastLaunch& second) {
  const Launch &one = first.launch, &other = second.launch;
  return (one.entry->tells_order || other.entry->tells_order) && !one.grid_workspace &&
         !other.grid_workspace && !one.memory->heap().is_used();
}

GridResult run_together(PastLaunch& first, PastLaunch& second, std::uint64_t pair, Cores& cores) {
  second.undo.apply();
  first.undo.apply();
  const std::uint64_t seed = second.launch.order.seed;
  Liberties draws(seed + device::kManners * second.launch.number);
  second.launch.number = first.launch.number; // the same draws: one kernel goes step by step, twice
  Cores beside(1);
  GridExecution one = begin(first, cores), other = begin(second, beside);
  std::array<OneByOne, 2> blocks{OneByOne(one), OneByOne(other)};
  const bool other_first =
      draws.manner() != Manner::in_step && (seed % device::kManners + pair) % 2 != 0;
  Turns turns(draws, other_first);
  std::array<bool, 2> more{true, true};
  for (std::size_t now = other_first ? 1 : 0; more[0] || more[1]; now = 1 - now)
    for (std::uint32_t left = turns.next(); left && more[now]; --left)
      more[now] = blocks[now].round();
  for (OneByOne& each : blocks) each.count_stopped();
  GridResult result = one.result(), its = other.result();
  result.findings.add_unknown(its.findings);
  result.ended = result.ended || its.ended;
  return result;
}

} // namespace course::emulator
