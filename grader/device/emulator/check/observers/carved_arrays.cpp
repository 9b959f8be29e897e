// Carved arrays: what one array in dynamic shared memory loses to another.
//
// A word that was stored by the base of one array (decode/array_bases.hpp), stored by that of
// another before anybody has read it, and then read by the first one's: whoever reads it finds what
// is not its own. That is no race, where a barrier is between the two, and it may be meant: a note,
// of programs alone. Of what is the same for all threads, as zeros to begin with, and of a single
// word nothing is said.
#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <bit>

namespace course::emulator {
namespace {

class CarvedArrays : public Observer {
public:
  explicit CarvedArrays(std::uint32_t bytes) : words_(bytes / kWord + 1) {}

  void begin_block(const Block&) override { ++block_; }
  void shared_access(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&) override;

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

template <typename F>
void for_words(const MemoryOperand& access, u32 mask, const LaneOffsets& at, F&& f) {
  for (u32 left = mask; left; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    const u32 first = at.of[lane] & ~3u;
    for (u32 offset = first; offset < at.of[lane] + access.width(); offset += 4) f(lane, offset);
  }
}

CarvedArrays::Word& CarvedArrays::word(std::uint32_t offset) {
  Word& word = words_[offset / kWord];
  if (word.block != block_) word = {.block = block_};
  return word;
}

void CarvedArrays::shared_access(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                                 const LaneOffsets& at) {
  if (access.direction == Direction::store && access.element >= kWord)
    return store(access, mask, at);
  for_words(access, mask, at, [&](u32 lane, u32 offset) {
    if (access.direction == Direction::load)
      read(warp, access, lane, offset);
    else // an atomic has read it, and of parts of words nothing is known
      word(offset) = {.block = block_, .read = true};
  });
}

void CarvedArrays::store(const MemoryOperand& access, std::uint32_t mask, const LaneOffsets& at) {
  const u32 base = access.array.base;
  u32 lanes = 0; // that take the place of what is of another array
  for_words(access, mask, at, [&](u32 lane, u32 offset) {
    const Word& before = word(offset);
    if (base && before.base && before.base != base && !before.read && !before.fills &&
        !access.array.fills)
      lanes |= 1u << lane;
  });
  const bool several = std::popcount(lanes) > 1;
  for_words(access, mask, at, [&](u32 lane, u32 offset) {
    Word& word = this->word(offset);
    Word now{
        .block = block_, .base = access.array.base, .fills = access.array.fills, .site = access.id};
    if (several && lanes >> lane & 1) {
      now.lost = word.base;
      now.before = word.site;
    } else if (word.base == base) { // what was lost is lost as before
      now.lost = word.lost;
      now.before = word.before;
    }
    word = now;
  });
}

void CarvedArrays::read(const Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                        std::uint32_t offset) {
  Word& word = this->word(offset);
  word.read = true;
  if (!word.lost || word.lost != access.array.base) return;
  Block& block = *warp.block;
  block.checker->report(device::FindingKind::overlap, access.id, word.site, warp, lane, [&] {
    const auto& sites = block.launch->program->sites();
    return Message(Says::lost_to_another_array,
                   does(access, block.shared.layout().describe(offset, kWord)),
                   sites[word.site].source.line, sites[word.before].source.line);
  });
}

} // namespace

ObserverOf watch_carved_arrays(const Launch& launch) {
  if (!launch.lenient || !launch.entry->carves_arrays || launch.clustered) return nullptr;
  return std::make_shared<CarvedArrays>(static_cast<u32>(launch.shared.guarded_bytes()));
}

} // namespace course::emulator
