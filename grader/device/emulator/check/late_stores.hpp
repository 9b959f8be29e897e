// Late stores: what another block's strong stores and atomics change in global memory may come late
// to who reads it by a strong load. The value before is as good (PTX ISA, Memory Consistency Model,
// Axioms) as long as none of these holds:
//   - the change happened before the load (order.hpp);
//   - somebody has seen the change, as who reads it may be behind that (Coherence);
//   - the writer has fenced since, and the reader after that (Fence-SC: membar and fence.sc come in
//     one order).
// More is taken for seen and for fenced than has to be: what is given out is always allowed.
//
// Of an execution at liberty alone, by the seed. A change comes late to a few looks and no more, so
// that who waits for it gets it.
#pragma once

#include "device/emulator/check/order.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/lane_places.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace course::emulator {

class LateStores {
public:
  // The same seed draws the same again.
  explicit LateStores(std::uint64_t seed);

  // Around a strong store or an atomic of `mask`, all of it in the allocation.
  void begin_change(const Warp&, const MemoryOperand&, std::uint32_t mask, const Allocation&,
                    const LaneAddresses&);
  void end_change(const MemoryOperand&, std::uint32_t mask, const Allocation&,
                  const LaneAddresses&);
  // Behind a strong load: puts back what was there before in the registers of some lanes.
  void load(Warp&, const MemoryOperand&, std::uint32_t mask, const Allocation&,
            const LaneAddresses&);
  // A thread of the block has fenced for threads of all blocks.
  void fence(std::uint64_t block) { fences_[block].push_back(++now_); }

private:
  using Value = std::array<std::byte, 16>;
  struct Change {
    std::uint64_t block = 0;
    Record record = 0; // without a lane
    std::uint32_t lanes = 0, width = 0;
    std::uint32_t looks = 0; // that it still comes late to
    std::uint64_t when = 0;
    Value before{}, after{};
  };

  std::uint32_t draw_looks();
  void forget_overlapping(device::Address, std::uint32_t width);
  bool is_known(const Warp&, std::uint32_t lane, const Change&) const;
  void report(Warp&, const MemoryOperand&, std::uint32_t lane, const Change&, const Allocation&,
              device::Address) const;

  std::uint64_t state_;
  bool always_; // each change comes late to somebody
  std::uint64_t now_ = 0;
  std::map<device::Address, Change> changes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> fences_; // when, by block
};

} // namespace course::emulator
