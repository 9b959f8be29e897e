#include "device/emulator/check/carved_arrays.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <bit>

namespace course::emulator {
namespace {

template <typename F>
void for_words(const MemoryOperand& access, u32 mask, const LaneOffsets& at, F&& f) {
  for (u32 left = mask; left; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    const u32 first = at.of[lane] & ~3u;
    for (u32 offset = first; offset < at.of[lane] + access.width(); offset += 4) f(lane, offset);
  }
}

} // namespace

CarvedArrays::Word& CarvedArrays::word(std::uint32_t offset) {
  Word& word = words_[offset / kWord];
  if (word.block != block_) word = {.block = block_};
  return word;
}

void CarvedArrays::note(const Warp& warp, const MemoryOperand& access, std::uint32_t mask,
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

} // namespace course::emulator
