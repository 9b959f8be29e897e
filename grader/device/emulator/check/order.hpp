// Order: what a thread knows to have happened before it by fences, releases and acquires.
//
// Barriers order the threads of a block, and Shadow (race.hpp) keeps stamps for that. This is about
// the rest: a thread writes, fences, and sets a flag or counts by an atomic; who sees that knows of
// the write. What is known of a block is told in its stamps: everything before a stamp by all of
// it, by a warp, by a thread (Knowledge). What is known of all blocks is a tree of such by block
// number, which never changes once made, so that threads and locations share nearly all of it.
//
// Strict where it is released: without a fence or a release before the strong write nothing is.
// Lenient where it is acquired: a strong load and an atomic whose old value is used count as an
// acquire, as textbooks write them; unless the job asks for strict acquires: then a relaxed one is
// an acquire from the next fence on, of its thread or of one behind a barrier. A barrier also
// passes on that fences have been executed.
//
// Only kernels with a fence or a release have any of this; their blocks are executed by one worker.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/decode/memory_order.hpp"
#include "device/emulator/state/knowledge.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Warp;

// Of one block's threads.
class BlockOrder {
public:
  // `active`: the kernel has what this is about. Otherwise nothing is ever known.
  void begin(bool active) {
    active_ = active;
    all_ = {};
    own_.clear();
    places_.clear();
    for (auto& stamps : told_) stamps.clear();
  }
  bool active() const { return active_; }

  void barrier();                                     // of all
  void meet(std::uint32_t warp, std::uint32_t lanes); // of lanes of one warp
  void meet(std::uint32_t warps);                     // of all lanes of some warps

  const Clock& of(std::uint32_t thread) const {
    const auto found = own_.find(thread);
    return found == own_.end() ? all_ : found->second;
  }
  // What any thread of the block knows.
  Known of_all() const;
  Clock& own(std::uint32_t thread) { return own_.try_emplace(thread, all_).first->second; }
  // Whether a record of `block`, one lane's, happened before the thread.
  bool covers(std::uint32_t thread, std::uint64_t block, Record record) const {
    return active_ && emulator::covers(of(thread).seen, block, record);
  }
  // All lanes of a warp know this of their block from now on.
  void tell(std::uint32_t warp, const Knowledge&);
  // What a warp was told so, looked up at once, as thousands of reads are behind each wait: whether
  // a record of the block, one lane's, is in it. `covers` is true for each lane then, and may be
  // where this is not.
  bool is_told(std::uint32_t warp, Record record) const {
    const auto& stamps = told_[warp];
    return !stamps.empty() && stamp_of(record) < stamps[record & kWho];
  }
  // Whether it may know of accesses by other blocks.
  bool knows_others(std::uint32_t thread) const { return active_ && of(thread).seen != nullptr; }
  // The same, had the thread fenced behind its relaxed reads.
  bool found(std::uint32_t thread, std::uint64_t block, Record record) const {
    return active_ && (emulator::covers(of(thread).found_block, block, record) ||
                       emulator::covers(of(thread).found_device, block, record));
  }
  bool has_fenced(std::uint32_t thread) const {
    return active_ && of(thread).fenced_block != nullptr;
  }

  // In shared memory, by offset.
  Released& place(std::uint32_t offset) { return places_[offset]; }

private:
  template <typename Wanted>
  void meet_those(std::uint32_t first, std::uint32_t end, Wanted&&);

  bool active_ = false;
  Clock all_; // of threads that are not in own_
  std::map<std::uint32_t, Clock> own_;
  std::unordered_map<std::uint32_t, Released> places_;
  std::array<std::vector<std::uint32_t>, kLanes> told_; // to each warp: a stamp a thread, or none
};

const MemoryOrder& order_of(const Warp&, const MemoryOperand&);
// All that has happened before any of some lanes, up to the last step of their warp; and what is
// known with the accesses of one lane besides.
Passed passed_by(Warp&, std::uint32_t lanes);
Known with_thread(Known, Warp&, std::uint32_t lane);
void take_over(Warp&, std::uint32_t lanes, const Passed&);
// A lane has made a strong access at a place: it passes on what is fenced, takes over what was.
void synchronise(Warp&, const MemoryOperand&, std::uint32_t lane, Released& place);

} // namespace course::emulator
