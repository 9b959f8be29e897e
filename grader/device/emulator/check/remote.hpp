// Accesses to a block's shared memory by other blocks of its cluster: which are ordered, and
// whether the block is still there.
//
// What the block itself does is in its shadow (race.hpp); what others do in its memory is kept
// here, word by word. Two accesses race when one writes, they are not both strong, and nothing
// orders them: a barrier of the cluster, a barrier in memory, a release and an acquire. The block
// has to stay until all that others do in its memory is behind it: a thread of its own has to know
// of it.
#pragma once

#include "device/emulator/check/race.hpp"
#include "device/emulator/decode/memory_operand.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Block;

// By another block, of one lane.
struct RemoteAccess {
  std::uint64_t block = 0; // linear index
  Record record = 0;
  bool strong = false;
};

class RemoteHistory {
public:
  void clear() { words_.clear(); }
  bool empty() const { return words_.empty(); }

  bool has_written(std::uint32_t offset) const { return writer_at(offset) != nullptr; }
  // What another block has written to the word last; nullptr: nothing.
  const RemoteAccess* writer_at(std::uint32_t offset) const {
    const auto found = words_.find(offset / 4);
    return found != words_.end() && found->second.write.record ? &found->second.write : nullptr;
  }

  // Checks and notes an access to `target`'s memory by a lane of another block.
  void note(Warp&, const MemoryOperand&, std::uint32_t lane, Block& target, std::uint32_t offset);
  // Checks an access of the block's own lanes.
  void check_own(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);
  // The block has ended: reports others' accesses that it may have come before.
  void end_block(Block&);

private:
  struct Word {
    RemoteAccess write;
    std::vector<RemoteAccess> reads; // the last of each block's warp
  };
  std::unordered_map<std::uint32_t, Word> words_; // by offset / 4
};

} // namespace course::emulator
