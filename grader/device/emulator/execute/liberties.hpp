// Liberties: what the PTX ISA leaves open about order and time, drawn from a seed.
//
// The first execution of a launch is the kindest that there is: lanes from 0 to 31, one block after
// the other, waits that last as long as it takes. A kernel that is right only there is wrong. One
// that is executed at liberty (device::Order) meets others: the table of liberties_test.cpp.
//
// There are three manners, of which the seed is one. Everybody is preempted each time, for short:
// all go step by step, so that what is done in two steps is in the middle of everybody else's. Or
// one of four is, for longer. Or each block is stopped once, until no other goes on without it: few
// preemptions at the right places, as in Burckhardt and others, "A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
#pragma once

#include "device/manners.hpp"
#include "device/splitmix64.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace course::emulator {

class Liberties {
public:
  // The same seed draws the same again.
  explicit Liberties(std::uint64_t seed)
      : state_(device::splitmix64(seed + device::kSplitmixStep)),
        manner_(static_cast<Manner>(seed % device::kManners)) {}

  enum class Manner : std::uint8_t { in_step, some, once };
  Manner manner() const { return manner_; }

  bool one_in(std::uint32_t many) { return below(many) == 0; }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(next() % end); }

  // Whoever is about to make an access where order can be seen.
  bool preempts();
  // For how many rounds, in which everybody else has a turn.
  std::uint32_t rounds();
  // Whether each block is stopped once, and after how many turns; until others come no further, for
  // which as many rounds are taken in which none of them ends.
  bool stops_once() const { return manner_ == Manner::once; }
  std::uint32_t stops_after();
  std::uint32_t patience();
  // Those of `lanes` that go ahead of the others: often none.
  std::uint32_t parting(std::uint32_t lanes);
  // Whether some pieces of a copy land before the others, and whether this one does.
  bool some_land_early() { return one_in(2); }
  bool lands_early() { return one_in(2); }

  template <typename T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[below(static_cast<std::uint32_t>(i))]);
  }
  // The lanes of one warp, in the order in which they have their turns.
  std::array<std::uint8_t, 32> lanes();

private:
  std::uint64_t next() { return device::splitmix64(state_ += device::kSplitmixStep); }

  std::uint64_t state_;
  Manner manner_;
};

// Which blocks of a launch sit out, round by round.
class BlockTurns {
public:
  struct Block {
    std::uint32_t rounds = 0;      // for which it is preempted
    std::uint32_t stops_after = 0; // turns; 0: no more
    bool stopped = false;          // until the others come no further
  };

  explicit BlockTurns(Liberties& liberties)
      : liberties_(liberties), patience_(liberties.patience()) {}

  Block begin() { return {0, liberties_.stops_once() ? liberties_.stops_after() : 0, false}; }
  bool sits_out(Block&);
  // Whether the first that is stopped, in an order that was drawn, goes on. `still`: in this round
  // no block has ended; `all`: there are none but those that are stopped.
  bool one_goes_on(bool still, bool all);

private:
  Liberties& liberties_;
  std::uint32_t patience_, still_ = 0; // rounds
};

} // namespace course::emulator
