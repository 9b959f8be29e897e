// Follows data through a kernel: for each lane's registers and each byte of memory, by which way
// its value came there (device/way.hpp).
//
// A value made from others has gone all their ways, and those of the predicate and the address that
// chose it, so that nothing is passed on by a table or a guard. Branches count for what lanes told
// each other: what is written after one that depends on a vote has gone that way too. What is known
// from no data (an index, a bound) has no way, however it is handed around. Nor has a value gone
// the way of what was multiplied by zero on the way to it, or been handed over by a lane to itself.
//
// Blocks that are on the device together (a cluster, a cooperative grid) each have their own
// registers and shared memory, and those of a cluster reach each other's. Not followed: the answer
// of a barrier that counts (its lanes' own predicates stand for all), and lanes of a matrix one by
// one.
#pragma once

#include "device/emulator/check/byte_set.hpp"
#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/state/block.hpp"
#include "device/way.hpp"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace course::emulator {

class WayTrace {
public:
  // Bytes that are an input: the way begins here.
  void begin_at(device::Address, std::uint64_t size);
  // The way of each byte.
  std::vector<device::Way> ways(device::Address, std::uint64_t size) const;
  // What was executed, by device::Used.
  const device::UsedCounts& used() const { return used_; }

  void begin_block(const Block&);
  // Before an operation is executed by `lanes`; of a rendezvous, before the exchange itself.
  void before(Warp&, const Split&, const Operation&, std::uint32_t lanes);
  void before_exchange(Warp&, std::uint32_t activation, const Operation&, std::uint32_t lanes);
  // A bulk copy moves bytes to the shared memory of a block, from global memory, where a warp asked
  // for it, or from that of another block; or from shared to global memory.
  void bulk_copy_in(const Warp& by_warp, const Block& target, std::uint32_t to,
                    device::Address from, std::uint32_t size, bool by_map);
  void bulk_copy_across(const Block& target, std::uint32_t to, const Block& source,
                        std::uint32_t from, std::uint32_t size);
  void bulk_copy_out(device::Address to, const Block& source, std::uint32_t from,
                     std::uint32_t size);
  // When the callee's activation has been made, and before its own ends.
  void call(const Warp&, std::uint32_t caller, std::uint32_t callee, const CallUse&, const Code&);
  void leave(const Warp&, std::uint32_t callee, std::uint32_t caller, const CallUse&, const Code&);

private:
  using Way = device::Way;
  using Ways = std::array<Way, kLanes>;
  struct Frame {
    std::vector<Ways> registers;
    std::map<Slot, Ways> areas; // parameters of calls, each as a whole
    Ways carry{};
  };
  struct WarpWays {
    std::vector<Frame> frames; // by activation
    Ways control{};            // of the branches so far
    std::unordered_map<std::uint32_t, Way> local;
    std::deque<bool> batches; // of cp.async that were not waited for: whether it has a copy
    bool begun = false;       // a batch with a copy, which was not ended
    std::int64_t alone = 0;   // words of data that it stored, less two for each of its shuffles
    std::uint64_t loaded = 0; // bytes of inputs, from global memory to registers
  };
  struct BlockWays {
    std::vector<WarpWays> warps;
    std::vector<Way> shared;
    std::vector<std::uint16_t> writer; // the warp that stored each byte of it last, or asked for it
    ByteSet filled;                    // bytes of it that an asynchronous copy has brought
    ByteSet unread;                    // that have data which nobody has read yet
    ByteSet lent;                      // that another block has read
    ByteSet unwritten;                 // of its dynamic array
    std::uint64_t dynamic_bytes = 0;   // of that array
    std::uint64_t busiest = 0;         // what the warp that loads most has loaded
    std::uint32_t number = 0;          // of all blocks so far, from 1
    std::uint32_t under_way = 0;       // batches of copies that nobody has waited for
    bool by_barriers = false; // copies end at barriers in memory: which are left is not known
  };
  static constexpr std::uint16_t kNobody = 0xffff;
  // What an instruction reads and writes, by number of register.
  struct Flow {
    ptx::Flow kind{};
    std::vector<std::uint32_t> results, sources;
    // Of memory: what is moved, and the address. Of a product: its two factors.
    std::vector<std::uint32_t> values, base;
    std::optional<device::Used> used;
    Way made = 0; // of a product: by what
    ptx::Opcode opcode{};
    bool writes_carry = false;
    bool selects = false;   // one of two values, by a predicate
    bool has_zero = false;  // two values are multiplied: of 32 bits, where zero takes all
    bool of_floats = false; // has_zero: and a sign does not matter
  };
  static constexpr std::uint32_t kNoRegister = 0xffffffff;

  const Flow& flow_of(const Code&, const Operation&);
  static Flow flow_of(const ptx::Instruction&);
  Frame& frame(const Warp&, std::uint32_t activation, const Code&);
  Way sources(const Frame&, const std::vector<std::uint32_t>&, std::uint32_t lane) const;
  void write(Frame&, const std::vector<std::uint32_t>&, std::uint32_t lane, Way);
  void compute(const Warp&, Frame&, const Code&, const Flow&, const Operation&,
               std::uint32_t lanes);
  void rows(Warp&, Frame&, const Flow&, const Operation&, std::uint32_t lanes);
  void access(Warp&, Frame&, const Flow&, const MemoryOperand&, std::uint32_t lanes);
  void access(const Warp&, Frame&, const Flow&, const MemoryOperand&, std::uint32_t lane,
              std::uint64_t address);
  void copy(Warp&, Frame&, const Flow&, const Operation&, std::uint32_t lanes);
  void shuffle(const Warp&, Frame&, const Flow&, const Operation&, std::uint32_t lanes);
  void copy_step(const Warp&, const Flow&, const Operation&);
  void end_batches(const Block&, WarpWays&, std::size_t but);
  void load_meanwhile(const Warp&, std::uint32_t lanes, std::uint32_t bytes);
  void exchange(const Warp&, Frame&, const Flow&, std::uint32_t lanes, Way by, Way besides = 0);
  Way operands(const Warp&, const Operation&, std::uint32_t lanes);
  Way loose_operands(const Frame&, const Flow&, std::uint32_t lanes) const;

  BlockWays& of(const Block&);
  WarpWays& of(const Warp& warp) { return of(*warp.block).warps[warp.index]; }
  // A byte of a block's shared memory; nullptr outside.
  Way* shared(const Block&, std::uint64_t offset);
  // As a warp reads and writes it.
  Way read_shared(const Block&, std::uint64_t offset, const Warp& by);
  void write_shared(const Block&, std::uint64_t offset, const Warp& by, Way, bool keep);
  void fill(const Block&, std::uint64_t offset, Way,
            const Warp* by = nullptr); // by an asynchronous copy
  void written(BlockWays&, std::uint64_t offset);
  void lend(BlockWays&, std::uint64_t offset); // to another block
  void barrier(const Warp&, const BarrierUse&, std::uint32_t lanes);
  void count(device::Used what, std::uint64_t times = 1) {
    used_[static_cast<std::size_t>(what)] += times;
  }
  void at_most_yet(device::Used what, std::uint64_t of_a_block);
  void count_alone(WarpWays&, std::int64_t more);
  struct BytesRead {
    std::unordered_set<std::uint64_t> addresses;
    std::pair<std::uint64_t, std::uint32_t> last{}; // and how many: most lanes read the same
  };
  // Counts bytes that are read for the first time.
  void count_once(device::Used what, BytesRead&, std::uint64_t address, std::uint32_t width);
  std::uint64_t inputs_at(device::Address, std::uint32_t width);
  void count_loaded(const Warp&, std::uint64_t bytes);
  // A byte of global memory.
  struct GlobalWay {
    Way way = 0;
    std::uint32_t writer = 0; // the block that stored it last, by number; 0: none
  };
  GlobalWay& in_global(device::Address);
  Way loaded_from_global(device::Address, std::uint32_t width, const Block& by);

  std::unordered_map<const Block*, BlockWays> blocks_;
  const Block* last_ = nullptr; // that was asked for, mostly the next one too
  BlockWays* of_last_ = nullptr;
  std::uint32_t begun_ = 0;                                              // blocks
  std::unordered_map<std::uint64_t, std::array<GlobalWay, 4096>> pages_; // of global memory
  std::unordered_map<const Code*, std::vector<Flow>> flows_;             // by instruction
  BytesRead of_constants_, of_tables_;
  device::UsedCounts used_{};
};

} // namespace course::emulator
