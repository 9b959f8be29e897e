// Carved arrays: what one array in dynamic shared memory loses to another.
//
// A word that was stored by the base of one array (decode/array_bases.hpp), stored by that of
// another before anybody has read it, and then read by the first one's: whoever reads it finds what
// is not its own. That is no race, where a barrier is between the two, and it may be meant: a note.
// Of what is the same for all threads, as zeros to begin with, and of a single word nothing is
// said.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

#include <cstdint>
#include <vector>

namespace course::emulator {

struct Warp;

class CarvedArrays {
public:
  explicit CarvedArrays(std::uint32_t bytes) : words_(bytes / kWord + 1) {}

  void begin_block() { ++block_; }
  // An access of any kind to the block's shared memory.
  void note(const Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);

private:
  static constexpr std::uint32_t kWord = 4; // bytes
  struct Word {
    std::uint32_t block = 0;            // whose records these are
    std::uint16_t base = 0, lost = 0;   // of the last store; of the one that it took the place of
    bool fills = false, read = false;   // of the last store; since
    std::uint32_t site = 0, before = 0; // of the last store, and of the one that is lost
  };
  Word& word(std::uint32_t offset);
  void store(const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);
  void read(const Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset);

  std::vector<Word> words_;
  std::uint32_t block_ = 0;
};

} // namespace course::emulator
