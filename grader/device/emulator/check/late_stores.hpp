// Late stores: what strong stores and atomics change in memory that threads have in common may come
// late to who reads it by a strong load: to threads of other blocks, and to others of the block; in
// global memory, and in shared memory of the block and of its cluster. The value before is as good
// (PTX ISA, Memory Consistency Model, Axioms) as long as none of these holds:
//   - the reader has made the change itself, or it happened before the load (race.hpp, order.hpp);
//   - somebody has seen the change, and that happened before the load (Coherence): two readers may
//     see two changes in two orders;
//   - somebody has fenced behind the change, or behind a load that saw it, and after that somebody
//     whom the reader is behind, for each other (Fence-SC: membar and fence.sc come in one order).
// More is taken for seen and for fenced than has to be: what is given out is always allowed.
//
// Of an execution at liberty alone, by the seed. To each of some readers a change comes late for a
// few looks and no more, so that who waits for it gets it.
#pragma once

#include "device/emulator/check/order.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/lane_places.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace course::emulator {

class LateStores {
public:
  // What an access is in: an allocation, or a block's shared memory.
  struct Memory {
    Memory(const Allocation& all) : allocation(&all) {}
    Memory(Block& of) : block(&of) {}
    const Allocation* allocation = nullptr;
    Block* block = nullptr;
    std::uint64_t space() const { return block ? block->linear + 1 : 0; }
    std::byte* bytes_at(std::uint64_t address) const;
  };

  // The same seed draws the same again.
  explicit LateStores(std::uint64_t seed);

  // Around a strong store or an atomic of `mask`, all of it in the memory: places are addresses of
  // global memory, offsets in shared memory.
  template <typename Places>
  void begin_change(const Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                    const Memory& memory, const Places& at) {
    if (!concerns(access, memory)) return;
    ++now_;
    for (std::uint32_t left = mask; left; left &= left - 1)
      begin_change(warp, access, lowest(left), memory, std::uint64_t{at.of[lowest(left)]});
  }
  template <typename Places>
  void end_change(const MemoryOperand& access, std::uint32_t mask, const Memory& memory,
                  const Places& at) {
    for (std::uint32_t left = mask; left; left &= left - 1)
      end_change(access, memory, std::uint64_t{at.of[lowest(left)]});
  }
  // Behind a strong load: puts back what was there before in the registers of some lanes.
  template <typename Places>
  void load(Warp& warp, const MemoryOperand& access, std::uint32_t mask, const Memory& memory,
            const Places& at) {
    for (std::uint32_t left = changes_.empty() ? 0 : mask; left; left &= left - 1)
      load(warp, access, lowest(left), memory, std::uint64_t{at.of[lowest(left)]});
  }
  // Lanes have fenced, each behind what is known to any of them: for threads of all blocks, or of
  // their own.
  void fence(const Warp&, std::uint32_t lanes, Known, bool for_all);
  // Its shared memory is another's from now on.
  void end_block(std::uint64_t linear);

private:
  using Place = std::pair<std::uint64_t, std::uint64_t>; // memory, address or offset
  using Value = std::array<std::byte, 16>;
  struct Doing { // of lanes of one warp
    std::uint64_t when = 0, block = 0;
    Record record = 0; // without a lane
    std::uint32_t lanes = 0;
  };
  struct Change {
    Doing by;
    std::uint32_t width = 0;
    Value before{}, after{};
    struct Reader {
      std::uint64_t thread = 0;
      std::uint32_t looks = 0; // that it still comes late to
    };
    std::vector<Reader> readers = {};
    std::vector<Doing> seen = {}; // loads that have got it
  };
  struct Fence {
    Doing by;
    Known known;
    bool for_all = false;
  };

  static bool concerns(const MemoryOperand&, const Memory&);
  void begin_change(const Warp&, const MemoryOperand&, std::uint32_t lane, const Memory&,
                    std::uint64_t at);
  void end_change(const MemoryOperand&, const Memory&, std::uint64_t at);
  void load(Warp&, const MemoryOperand&, std::uint32_t lane, const Memory&, std::uint64_t at);
  std::uint64_t draw();
  std::uint32_t draw_looks();
  void forget_overlapping(Place, std::uint32_t width);
  static bool is_behind(const Warp&, std::uint32_t lane, const Doing&);
  bool is_known(const Warp&, std::uint32_t lane, const Change&) const;
  bool is_fenced(const Warp&, std::uint32_t lane, const Doing&) const;
  bool is_late(const Warp&, std::uint32_t lane, Change&);
  void report(Warp&, const MemoryOperand&, std::uint32_t lane, const Change&, const Memory&,
              std::uint64_t at) const;

  std::uint64_t state_;
  bool always_; // each change comes late to somebody
  std::uint64_t now_ = 0;
  std::map<Place, Change> changes_;
  std::vector<Fence> fences_; // in their order
};

} // namespace course::emulator
