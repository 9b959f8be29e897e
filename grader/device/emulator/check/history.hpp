// Histories: all that happened to the words of global memory that threads were in conflict over
// (footprint.hpp), while the launch is executed again by one worker, block after block.
//
// Two accesses of different threads race when one writes, they are not both strong at a scope that
// holds both threads, and nothing orders them: within a block what orders shared memory
// (race.hpp), between blocks a release and an acquire (order.hpp). Of each kind of access the last
// of each thread is kept, as whoever is ordered behind that one is behind the earlier ones.
//
// Who is ordered behind a strong read is behind the strong writes that it saw as well (the PTX
// model's causality order): the last block may set its counter back by a plain store. It saw the
// last store, and the atomics since (observation order).
#pragma once

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/order.hpp"
#include "device/emulator/check/race.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Block;

// Accesses of lanes of one warp, at one stamp and site.
struct PastAccess {
  std::uint64_t block = 0;
  Record record = 0; // without a lane
  std::uint32_t lanes = 0;
  bool released = false;   // a strong store that passed on what came before it
  std::uint64_t when = 0;  // the number of the request among those at words in conflict
  std::uint64_t value = 0; // that a store stored, as a number
  // What the lanes have seen by their strong reads: strong writes of these numbers. Of several
  // reads what came between counts as seen: no value tells that it was not.
  struct Seen {
    std::uint64_t from = ~std::uint64_t{0}, until = 0;
    bool of_all = false; // blocks, and not of its own alone
    void add(const Seen& more) {
      from = std::min(from, more.from);
      until = std::max(until, more.until);
      of_all = of_all || more.of_all;
    }
  } seen = {};
};

class Accesses { // of one kind to one word
public:
  bool empty() const { return by_warp_.empty(); }
  void clear() { by_warp_.clear(); }
  void add(PastAccess); // who has seen something goes on having seen it
  template <typename F> // until f(access) is true
  bool any(F&& f) const {
    return std::ranges::any_of(by_warp_, f);
  }
  template <typename F> // of those of one block
  bool any_of_block(std::uint64_t block, F&& f) const {
    const auto of_block = std::ranges::lower_bound(by_warp_, block, {}, &PastAccess::block);
    return std::any_of(of_block, std::ranges::upper_bound(by_warp_, block, {}, &PastAccess::block),
                       f);
  }

private:
  // Sorted by block and warp, and most words have one or two; blocks come in order, so that what is
  // added belongs at the end. The lanes of a warp's accesses are different ones.
  std::vector<PastAccess> by_warp_;
};

class Histories {
public:
  // Before an access by `mask`, in bounds and aligned, to memory with a footprint.
  void note(Warp&, const MemoryOperand&, std::uint32_t mask, const Allocation&,
            const LaneAddresses&);

  // A copy reads, from when it is asked for until it has been waited for. Its number, for the
  // others; 0 is none.
  std::uint64_t begin_read(const Warp&, const MemoryOperand&, std::uint32_t lane);
  void read_on(std::uint64_t number, const Allocation&, std::uint64_t offset, std::uint64_t bytes);
  void end_read(const Warp&, std::uint64_t number);

private:
  struct Word {
    Accesses writes; // plain: the last, and those of the same value beside it
    std::uint64_t value = 0;
    Accesses reads, strong_reads, strong_writes;
    std::uint64_t last_store = 0; // the number of the last strong one that is no atomic
  };
  struct Request; // one request's lanes at one word
  class Pages;

  Word& word(FootprintPage&, const Traces&, std::uint64_t offset);
  std::vector<Word*> words_in_conflict(const Allocation&, std::uint64_t offset,
                                       std::uint64_t bytes);
  static std::uint64_t next_number(); // of Histories, in this process
  void visit(const Request&, Trace, Word&);
  void report_unordered(const Request&, const Word&, const Accesses&, bool before_writes);
  void report_unfenced(const Request&, const Accesses&);
  bool seen(const Request&, std::uint32_t lane, const Word&, const PastAccess& write);
  void report_within(const Request&);
  // A load that promises that its word does not change, behind stores of the same launch, and the
  // other way round (history_promises.cpp). Where nothing orders the two it is a race that is said.
  void report_changed(const Request&, const Word&);
  void report_promised(const Request&, const Word&);
  // A store to what a copy under way may still read. Where nothing orders it behind the beginning
  // of the copy, that is said of the two already.
  void report_read_on(const Request&, const Word&);
  void report_stale(const Request&, const PastAccess&, device::MessageId);
  void report(const Request&, std::uint32_t lane, const PastAccess& before, std::uint32_t other,
              bool before_writes, bool same_value);

  // Pages of the footprint have their numbers: programs come to millions of words in conflict.
  std::deque<Word> words_;
  std::unordered_map<const Word*, PastAccess> unchanging_; // the first load of each that says so
  struct LongRead {
    PastAccess past;
    const MemoryOperand* access = nullptr;
    std::vector<Word*> words = {};
  };
  std::unordered_map<std::uint64_t, LongRead> under_way_; // by number
  std::unordered_multimap<const Word*, std::uint64_t> read_by_copies_;
  std::uint64_t reads_begun_ = 0;
  const std::uint64_t number_ = next_number();
  std::uint64_t requests_ = 0;
};

} // namespace course::emulator
