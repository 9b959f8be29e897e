// Race: which accesses to shared memory are ordered, and which have been written at all.
//
// For each granule of shared memory (a word, or a byte in kernels with narrower accesses) two
// records are kept: the last write, and the reads since the last barrier. Two accesses of different
// lanes conflict when one writes; they race when nothing orders them: no barrier of the block and,
// within a warp, no __syncwarp that both lanes take part in. That a warp executes in lockstep does
// not order its lanes: since compute capability 7.0 nothing promises it.
//
// Time is counted in stamps: every barrier and __syncwarp takes a new one, and an access bears the
// stamp of its warp. Stamps grow from block to block, so records of an earlier block are simply
// old, and nothing has to be cleared between blocks.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/access_record.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace course::emulator {

struct Block;
struct Knowledge;
struct Warp;

class Shadow {
public:
  // For shared memory of `bytes`, before the first block of a launch. Granules of 4 bytes, or 1.
  void resize(std::uint32_t bytes, std::uint32_t granule);

  void begin_block(std::vector<Warp>& warps);
  void end_block();
  void block_barrier(std::vector<Warp>& warps); // passed by all lanes of all warps
  // Passed by `members`; `all`: they are all lanes of the warp that have not ended.
  void warp_barrier(Warp&, std::uint32_t members, bool all);
  // Of a barrier that only some warps take part in: each now knows what all have done. Those that
  // passed it without waiting tell what they had done by then, and learn nothing.
  void partial_barrier(std::vector<Warp>& warps, std::uint32_t members, std::uint32_t passed,
                       const std::array<std::uint32_t, kLanes>& arrival);

  // Later accesses of a warp bear another stamp than earlier ones. Orders nothing by itself.
  void next_step(Warp&);
  // What a thread knows of its block by barriers and by having done it itself.
  Knowledge knowledge(const Warp&, std::uint32_t lane) const;
  // Whether the record, of this block, happened before what the lane does now.
  bool ordered(Record before, const Warp&, std::uint32_t lane) const;

  // The last write at an offset by this block; 0: none.
  Record writer_at(std::uint32_t offset) const {
    const Record writer = writer_[offset >> shift_];
    return stamp_of(writer) < block_ ? 0 : writer;
  }
  // Whether nothing has written it, or the lane that read it itself, whatever the order.
  bool is_unwritten(std::uint32_t offset, const Warp&, std::uint32_t lane) const;
  // The stamp of the last barrier of the whole block, or of the block's start.
  std::uint32_t last_barrier() const { return barrier_; }
  // The last read since the last barrier; 0: none.
  Record reader_at(std::uint32_t offset) const {
    const Record reader = reader_[offset >> shift_];
    return stamp_of(reader) < barrier_ ? 0 : reader;
  }

  // Where reader_at says several, the one before it of another lane; 0: none.
  Record other_reader_at(std::uint32_t offset) const {
    const Record reader = other_reader_[offset >> shift_];
    return stamp_of(reader) < barrier_ ? 0 : reader;
  }

  // Each checks and notes an access by the lanes in `mask`, whose offsets are in bounds and
  // aligned, and reports what it finds.
  // Returns the lanes that read what nothing in this block has written.
  // `follows`: what it brings is followed, and is no finding before it matters (Undefined).
  std::uint32_t read(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&,
                     bool follows = false);
  std::uint32_t atomic(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);
  // Bytes as wide as the access that a warp as a whole reads: what its own lanes wrote is in order.
  // The read is not noted. `right`: a record that was looked at and found right. False: some of it
  // is not written, or in no order with this, which is reported.
  bool read_at_once(Warp&, const MemoryOperand&, std::uint32_t offset, Record& right);
  // Returns the lanes that another lane of the same instruction has overwritten.
  std::uint32_t write(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);

private:
  template <bool kAvx2>
  friend struct ShadowLoops;

  bool ordered_by_barriers(Record before, const Warp&, std::uint32_t lane) const;
  bool both_strong(Record before, const Warp&, const MemoryOperand&, std::uint32_t lane) const;
  bool check_writer(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset,
                    Record before);
  bool check_reader(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset,
                    std::size_t granule);
  void note_reader(const Warp&, std::uint32_t lane, std::size_t granule, Record mine);
  bool check_initialised(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset,
                         std::uint32_t granule);
  void report_unwritten();
  void report_uninitialised(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset);
  std::uint32_t next_stamp();

  std::uint32_t shift_ = 2; // log2 of the granule
  std::vector<Record> writer_, reader_;
  std::vector<Record> other_reader_; // of another lane than reader_, where that says several
  std::uint32_t stamp_ = 0;
  std::uint32_t block_ = 0;   // stamp at the block's start: older records are of other blocks
  std::uint32_t barrier_ = 0; // stamp of the last barrier of the whole block

  // Reads of what nothing had written yet. If another thread's write comes before the next barrier,
  // it is the order of the two that is wrong, and a race is reported instead.
  struct Unwritten {
    Warp* warp = nullptr;
    const MemoryOperand* access = nullptr;
    std::uint32_t lane = 0, offset = 0, granule = 0;
  };
  std::vector<Unwritten> unwritten_;

  // Barriers of some warps, or some lanes, are rare; what they order is kept only once there is
  // one. known_warp_[b * 32 + a]: the stamp of a before which everything is known to b.
  std::vector<std::uint32_t> known_warp_;
  struct KnownLanes { // of one warp, by pairs of lanes, in the same way
    std::uint32_t warp = 0;
    std::array<std::array<std::uint32_t, kLanes>, kLanes> stamp{};
  };
  std::vector<KnownLanes> known_lanes_;
};

} // namespace course::emulator
