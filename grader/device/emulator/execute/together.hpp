// Launches of which nothing says who is first, at the same time.
//
// Each is executed by itself, in the order of the calls, where all is checked: plain accesses of
// two to one word are a race then (stream_races.hpp). What their strong accesses and atomics find
// and leave depends on who comes first. So memory is put back to before the launches of late, and
// they are executed again, block by block in turns, with the copies and fills that came among them.
// What streams, events and the host order stays in order.
//
// What the host has copied to itself, and what a kernel with malloc has done, stays as it was, with
// all that comes before it. Memory that was freed in between is there again meanwhile: whether all
// have done with it is what is checked of the order of the calls.
#pragma once

#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/check/undo.hpp"
#include "device/emulator/execute/grid.hpp"
#include "device/emulator/state/launch.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace course::emulator {

// One that has been executed, and may be again.
struct PastLaunch {
  Launch launch;
  device::Bytes arguments;
  Undo undo;
};

// What was done of late and has not been waited for.
class RecentWork {
public:
  explicit RecentWork(Cores& cores) : cores_(cores) {}
  ~RecentWork() { clear(); }
  RecentWork(const RecentWork&) = delete;

  bool empty() const { return all_.empty(); }
  void clear() { forget(all_.size()); }
  // What the host has waited for stays as it is.
  void host_waited(const StreamOrder&);
  // So does what comes before the work that began last.
  void stays_before(const StreamOrder&);
  // Its bytes go when nothing that was done before is executed again.
  void freed(Allocation&);

  // A copy or a fill, which began last and is done. `again`: does it.
  void add(const StreamOrder&, StreamOrder::Work, Undo, std::function<void()> again);
  // The launch that began last and is done, of so many instructions. Where it may have met an
  // earlier one that nothing orders: what all of late came to together.
  std::optional<GridResult> add(const StreamOrder&, StreamOrder::Work, PastLaunch,
                                std::uint64_t instructions);

private:
  struct Work {
    StreamOrder::Work work;
    std::uint64_t id = 0;
    std::vector<std::uint64_t> behind = {}; // what is before it
    std::function<void()> again = {};       // a copy or a fill
    std::optional<PastLaunch> launch = {};
    std::uint32_t number = 0; // of the launch
    std::uint64_t instructions = 0;
    Undo undo = {};
    // The last launch before it that it meets and that nothing orders.
    std::optional<std::uint64_t> meets = {};
  };
  struct Freed {
    Allocation* memory;
    std::uint64_t behind; // the work with this number
  };
  class Turns;
  class Again;
  class ThereAgain;

  Work& begin(const StreamOrder&, StreamOrder::Work);
  void forget(std::size_t first);
  template <typename F>
  void forget_where(F stays);
  void release_freed();
  void stays(const StreamOrder&, const Undo&);
  void make_room();
  std::optional<std::uint64_t> whom_it_meets(const Work&) const;
  GridResult execute_again();

  Cores& cores_;
  std::vector<std::unique_ptr<Work>> all_;
  std::size_t joined_ = 0; // so many from the first on were executed together
  Undo joint_;             // of those
  std::vector<Freed> freed_;
  std::uint64_t next_id_ = 0, executed_ = 0, repeated_ = 0;
};

} // namespace course::emulator
